import type { DeletableTarget } from './deletable-targets.ts'
import type { ReferenceAccount } from './reference-account.ts'

/**
 * Makes a document that refers to a target. Returns the call that reads it; undefined when no call shows the reference.
 */
export type MakeReferrer = (
  account: ReferenceAccount,
  target: DeletableTarget,
) => Promise<(() => Promise<unknown>) | undefined>

/** Referrers by the name of the row of the table of references. */
export type NamedReferrers = readonly (readonly [string, MakeReferrer])[]

/** The project of all referrers. */
export const web = { projectKey: 'web' }

export const production = { ...web, environmentKey: 'production' }

/** A time that no test reaches, integer ms. */
export const far = 8_000_000_000_000

/** The properties of a created document that referrers use. */
export interface CreatedDocument {
  readonly _id: string
  readonly token: string
}

/** Creates a flag. Returns the parameters of its path. */
export async function newFlag({ call }: ReferenceAccount, key: string, more: object = {}, projectKey = 'web') {
  await call('createFlag', { projectKey, body: { key, name: key, ...more } })
  return { projectKey, flagKey: key }
}

/** Creates a workflow with one stage, which is due at a time that no test reaches. */
export async function newWorkflow(
  { call }: ReferenceAccount,
  flag: object,
  instructions: readonly object[],
  caller?: string,
): Promise<CreatedDocument> {
  const conditions = [{ kind: 'schedule', executionDate: far }]
  return call<CreatedDocument>(
    'postWorkflow',
    { ...flag, body: { name: 'x', stages: [{ conditions, action: { instructions } }] } },
    caller,
  )
}
