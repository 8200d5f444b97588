"""eomc and its peers in one table: who can serve which row, agreement, times in turn, text and picture."""
