/**
 * The policy actions of the resources, by kind of resource: `{ team: 'viewTeam' | 'createTeam' | … }`.
 *
 * Empty here, because `rules/` knows no resource. `resources/generated/policy-kinds.ts` adds a property for each kind by
 * declaration merging, so that the compiler refuses an action that no resource has.
 */
// biome-ignore lint/suspicious/noEmptyInterface: another file adds its properties
export interface ActionsByKind {}

/** An action that policies decide about, e.g. `viewTeam`. */
export type Action = ActionsByKind[keyof ActionsByKind]
