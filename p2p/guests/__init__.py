"""Guest links: how a phone's browser links to the machine that serves its page. PROTOCOL.md: "Guest links"."""
