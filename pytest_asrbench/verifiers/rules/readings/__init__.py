"""What a transcript says, read whole and once: numbers, quantities, clock times, dates."""
