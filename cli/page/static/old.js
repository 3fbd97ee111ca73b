// For browsers that cannot run the page itself, and for a page of which a part did not come: it would stay empty there. Written so
// that any browser understands it.
(function () {
  var PATIENCE_MS = 15000;
  var AGAIN_MS = [500, 2000, 5000];
  var script = document.currentScript;
  var lacks = false;

  function say(what) {
    var app = document.getElementById("app");
    if (window.fairdeal || !app || app.firstChild) return;
    var asked = new XMLHttpRequest();
    asked.open("GET", script.getAttribute("data-words"));
    asked.onload = function () {
      if (window.fairdeal || app.firstChild) return;
      var found = JSON.parse(asked.responseText);
      var words = found.words || found;
      var lang = (navigator.language || "en").slice(0, 2);
      var told = document.createElement("p");
      told.setAttribute("role", "alert");
      told.className = "too-old";
      told.appendChild(document.createTextNode((words[lang] || words.en)[what]));
      app.appendChild(told);
    };
    asked.send();
  }

  // How often this tab has loaded the page anew for that.
  function tries(count) {
    try {
      if (count !== undefined) sessionStorage.setItem("tries", count);
      return Number(sessionStorage.getItem("tries"));
    } catch (fault) {
      return AGAIN_MS.length;
    }
  }

  function loadAgain() {
    if (lacks) return;
    lacks = true;
    var so_far = tries();
    if (so_far >= AGAIN_MS.length) return say("lost");
    say("away");
    setTimeout(function () {
      tries(so_far + 1);
      location.reload();
    }, AGAIN_MS[so_far]);
  }

  // A script that this browser cannot read is an error of the window; one that it does not know is none at all. What does not come
  // is an error of its element.
  window.addEventListener(
    "error",
    function (event) {
      if (event.target !== window) loadAgain();
      else if (String(event.message).indexOf("SyntaxError") >= 0) say("old");
    },
    true
  );
  window.addEventListener("load", function () {
    if (lacks) return;
    tries(0);
    setTimeout(function () {
      say("old");
    }, "noModule" in script ? PATIENCE_MS : 0);
  });
})();
