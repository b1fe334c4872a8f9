import type { ExperimentSubject } from '../../models/experiments/iteration.ts'
import type { ReadContext, WriteContext } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import type { Sentence } from '../../rules/sentences/sentence.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'
import { saveTargeting } from '../ai-configs/targeting/save-targeting.ts'
import { loadTargeting, type TargetingState } from '../ai-configs/targeting/targeting-state.ts'
import { saveFlag } from '../flags/changes/save-flag.ts'
import { type FlagState, loadFlag } from '../flags/flag-state.ts'

/** A flag or an AI config with its targeting in all environments. */
export type SubjectState = (
  | { readonly kind: 'flag'; readonly state: FlagState }
  | { readonly kind: 'aiconfig'; readonly state: TargetingState }
) & {
  readonly key: string
  readonly archived: boolean
  readonly variations: readonly { readonly _id: string }[]
  /** The targetings by environment key. The version of a targeting that was never changed is 0. */
  readonly targetings: ReadonlyMap<string, Targeting & { readonly version: number }>
}

type LoadContext = Pick<ReadContext, 'tx' | 'hasCome'>

/** Reads the flag with a key, or else the AI config with that key. No project has both. */
export async function findSubject(
  context: LoadContext,
  projectKey: string,
  key: string,
): Promise<SubjectState | undefined> {
  return (await loadFlagSubject(context, projectKey, key)) ?? loadConfigSubject(context, projectKey, key)
}

/** Reads the flag or AI config of an iteration. */
export function loadSubject(
  context: LoadContext,
  projectKey: string,
  { kind, key }: ExperimentSubject,
): Promise<SubjectState | undefined> {
  return kind === 'flag' ? loadFlagSubject(context, projectKey, key) : loadConfigSubject(context, projectKey, key)
}

async function loadFlagSubject(
  context: LoadContext,
  projectKey: string,
  flagKey: string,
): Promise<SubjectState | undefined> {
  const state = await loadFlag(context.tx, { projectKey, flagKey }, context)
  if (!state) return undefined
  const { archived, variations } = state.flag
  return { kind: 'flag', state, key: flagKey, archived, variations, targetings: state.configs }
}

async function loadConfigSubject(
  { tx }: LoadContext,
  projectKey: string,
  configKey: string,
): Promise<SubjectState | undefined> {
  const state = await loadTargeting(tx, { projectKey, configKey })
  if (!state) return undefined
  const variations = state.variations.map(({ id }) => ({ _id: id }))
  return { kind: 'aiconfig', state, key: configKey, archived: false, variations, targetings: state.targetings }
}

/** A targeting that an iteration changes. */
export interface SubjectChange {
  readonly projectKey: string
  readonly environmentKey: string
  readonly targeting: Targeting
  readonly comment: string | undefined
  readonly sentences: readonly Sentence[]
}

/**
 * Writes a targeting that an iteration changes, like any other change of it: with the required actions, comments and
 * approvals.
 */
export async function saveSubject(
  context: WriteContext,
  subject: SubjectState,
  { projectKey, environmentKey, targeting, comment, sentences }: SubjectChange,
): Promise<void> {
  const refuse = (reason: string): never => fail('invalid_request', { errors: [{ attribute: 'flags', reason }] })
  // Casts: the targeting has the type of the subject's targeting; only its rules differ.
  if (subject.kind === 'flag') {
    const { state, key: flagKey } = subject
    const config = targeting as NonNullable<ReturnType<typeof state.configs.get>>
    await saveFlag(
      context,
      { keys: { projectKey, flagKey }, before: state },
      {
        flag: state.flag,
        configs: new Map([[environmentKey, config]]),
        comment,
        sentences: { flag: [], config: sentences },
        byExperiment: true,
        refuse: (problems) => refuse(problems.map(({ attribute, reason }) => `${attribute} ${reason}`).join('; ')),
      },
    )
    return
  }
  const { state, key: configKey } = subject
  await saveTargeting(
    context,
    { keys: { projectKey, configKey }, before: state },
    {
      config: state.config,
      targeting: targeting as NonNullable<ReturnType<typeof state.targetings.get>>,
      comment,
      sentences: { config: [], targeting: sentences },
      byExperiment: true,
      refuse,
    },
  )
}
