"""What-if questions: does this record keep that budget, which runs do, and how many nodes would it take."""
