"""One client's part in a room: as a member, and as its host. The room outlives matches and the host's departure."""
