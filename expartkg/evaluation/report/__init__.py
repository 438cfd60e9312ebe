"""Tables and figures of an experiment: `results` computes, the others show, `writing` saves."""
