"""The page that phones and this computer's browser show: its files, and what it says by itself."""
