// For browsers that cannot run the page itself: it would stay empty there. Written so that any browser understands it.
(function () {
  var PATIENCE_MS = 15000;
  var script = document.currentScript;

  function say() {
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
      told.appendChild(document.createTextNode((words[lang] || words.en).old));
      app.appendChild(told);
    };
    asked.send();
  }

  // A script that this browser cannot read is an error of the window; one that it does not know is none at all.
  window.addEventListener("error", function (event) {
    if (String(event.message).indexOf("SyntaxError") >= 0) say();
  });
  window.addEventListener("load", function () {
    setTimeout(say, "noModule" in script ? PATIENCE_MS : 0);
  });
})();
