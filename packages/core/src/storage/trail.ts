import type { Dependency } from './dependencies.ts'

/** What was read on the way to something, from the first look on. */
export interface Trail {
  /** Whether any of it was changed since it was asked for. */
  readonly spoilt: boolean
  /** Notes what is about to be asked: before, so that a change that comes while the answer is on its way is not missed. */
  note(dependency: Dependency): void
  /** Says what is to be done when any of it is changed: at once, and only once. */
  onSpoilt(drop: () => void): void
  /** Says that what is made from it holds for now alone. */
  spoil(): void
  /** Stops listening. Safe to call twice. */
  end(): void
}
