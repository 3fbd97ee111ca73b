"""A model of the change of epochs: seats, votes, withouts, goodbyes and convictions, without cards or cryptography.

It is small enough for a search through many thousands of bad evenings (`search`), and each rule of PROTOCOL.md's "Epochs" can
be switched off (`rules`), which lets the tests show that the rule is needed.
"""
