package dev.revealed.api;

/**
 * One evaluation of a policy, acting without noise, by the task's own reward.
 *
 * @param step of the simulator after which the policy was evaluated
 * @param standardError of the mean over episodes; not a number for a single episode
 */
public record EvaluationResult(long step, double meanReturn, double standardError) {}
