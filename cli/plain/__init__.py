"""Plain mode: the whole client in lines of text. Presenters turn views into sentences and typed lines into moves; nothing in
them touches a terminal, so that the same code speaks to a person, a screen reader, a pipe and a test.
"""
