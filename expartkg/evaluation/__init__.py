"""The experiments of Section 4: metrics, questions, runs, tables and figures."""
