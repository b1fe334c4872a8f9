import { environments } from '../../../models/environments/environment.ts'
import { type AutomatedRelease, withoutBookkeeping } from '../../../models/flags/automated-release.ts'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { defaultConfig, type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import {
  type UndoContext,
  type UndoGroup,
  type UndoneDocument,
  type UndoOptions,
  undoOf,
} from '../../../operation/undo/undo-rules.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { requireKnownMaintainer } from '../../maintainers/require-known-maintainer.ts'
import { configAt } from '../config-at.ts'
import { type FlagState, loadEnvironments, loadFlag } from '../flag-state.ts'
import { removeFlag } from '../remove-flag.ts'
import { updateReferenceIndexes } from './change-config.ts'
import { refuseWith } from './flag-change.ts'
import { saveFlag } from './save-flag.ts'

/** Documents of one flag that an entry changed: the flag itself, its configurations, or both. */
interface FlagUndo {
  readonly keys: FlagKeys
  flag: UndoneDocument<Flag> | undefined
  readonly configs: Map<string, UndoneDocument<FlagConfig>>
}

const group: UndoGroup = {
  async write(context, documents, options) {
    for (const undo of undosByFlag(documents)) {
      if (undo.flag && !undo.flag.wanted) await removeCreated(context, undo)
      else if (undo.flag && !undo.flag.current) await restoreDeleted(context, undo, undo.flag.wanted as Flag, options)
      else await saveEarlier(context, undo, options)
    }
  },
}

/**
 * Rules for undoing changes of flags and their configurations. They are undone like changes that a patch of the flag
 * makes.
 */
export const undoFlags = [
  undoOf(flags, { group, create: 'createFlag' }),
  undoOf(flagConfigs, {
    group,
    async implied({ tx }, keys) {
      const [flag, environment] = await Promise.all([tx.get(flags, keys), tx.get(environments, keys)])
      return flag && environment && defaultConfig(flag, environment)
    },
    renewed: { automatedReleases: (release) => withoutBookkeeping(release as AutomatedRelease) },
    inserted: ({ tx }, keys, config) =>
      updateReferenceIndexes({ tx }, { keys, before: { rules: [], prerequisites: [] }, after: config }),
  }),
]

function undosByFlag(documents: readonly UndoneDocument[]): Iterable<FlagUndo> {
  const undos = new Map<string, FlagUndo>()
  for (const document of documents) {
    const { projectKey = '', flagKey = '', environmentKey } = document.keys
    const address = flags.address.address({ projectKey, flagKey })
    const undo = undos.get(address) ?? { keys: { projectKey, flagKey }, flag: undefined, configs: new Map() }
    // Casts: the collection of a document determines its type.
    if (environmentKey === undefined) undo.flag = document as UndoneDocument<Flag>
    else undo.configs.set(environmentKey, document as UndoneDocument<FlagConfig>)
    undos.set(address, undo)
  }
  return undos.values()
}

/** Deletes a flag that the entry created, unless it has been configured since. */
async function removeCreated(context: UndoContext, { keys, configs }: FlagUndo): Promise<void> {
  const state = (await loadFlag(context.tx, keys, context)) ?? context.fail('not_found')
  for (const environment of state.environments) {
    const config = configs.get(environment.key)?.wanted ?? state.configs.get(environment.key)
    if (config && !isUntouched(config, defaultConfig(state.flag, environment))) {
      const message = `A later change prevents this: ${keys.flagKey} has been changed in ${environment.key} since`
      context.fail('optimistic_locking_error', { message, conflicts: [{ path: `/environments/${environment.key}` }] })
    }
  }
  await removeFlag(context, keys, state)
}

function isUntouched(config: FlagConfig, implied: FlagConfig): boolean {
  return jsonEqual({ ...config, version: 0, lastModified: 0 }, { ...implied, version: 0, lastModified: 0 })
}

/** Inserts a deleted flag, and then its configurations as changes of the defaults. */
async function restoreDeleted(
  context: UndoContext,
  { keys, configs }: FlagUndo,
  deleted: Flag,
  options: UndoOptions,
): Promise<void> {
  const { tx } = context
  await context.demand('createFlag', flags, keys)
  await requireKnownMaintainer(context, deleted)
  const list = await loadEnvironments(tx, keys.projectKey)
  const flag = tx.insert(flags, keys, deleted, () => context.fail('optimistic_locking_error'))
  const implied = list.map((environment) => [environment.key, defaultConfig(flag, environment)] as const)
  const state: FlagState = { flag, environments: list, configs: new Map(implied) }
  await save(context, state, { keys, flag, configs }, options)
}

/** Writes an earlier state of a flag and its configurations. */
async function saveEarlier(
  context: UndoContext,
  { keys, flag, configs }: FlagUndo,
  options: UndoOptions,
): Promise<void> {
  const before = (await loadFlag(context.tx, keys, context)) ?? context.fail('not_found')
  if (flag?.wanted) await requireKnownMaintainer(context, flag.wanted, before.flag)
  await save(context, before, { keys, flag: flag?.wanted ?? before.flag, configs }, options)
}

/** An earlier state of a flag and of some of its configurations. */
interface EarlierFlag extends Pick<FlagUndo, 'keys' | 'configs'> {
  readonly flag: Flag
}

async function save(
  context: UndoContext,
  before: FlagState,
  { keys, flag, configs }: EarlierFlag,
  options: UndoOptions,
): Promise<void> {
  const changedConfigs = [...configs].flatMap(([environmentKey, { wanted: config }]) => {
    const current = before.configs.get(environmentKey)
    return config && current ? [[environmentKey, asChange(context, flag, { current, restored: config })] as const] : []
  })
  const refuse = refuseWith(({ environmentKey, attribute }) =>
    environmentKey === undefined ? attribute : `environments.${environmentKey}.${attribute}`,
  )
  await saveFlag(
    context,
    { keys, before },
    {
      flag,
      configs: new Map(changedConfigs),
      comment: options.comment,
      restores: true,
      refuse,
    },
  )
}

/** The current configuration of a flag, and the one that is restored. */
interface RestoredConfig {
  readonly current: FlagConfig
  readonly restored: FlagConfig
}

/**
 * Returns a configuration without expired targets, with the version and the date of the configuration that it replaces.
 */
function asChange(context: UndoContext, flag: Flag, { current, restored }: RestoredConfig): FlagConfig {
  const { version, lastModified } = current
  return { ...configAt(flag, restored, context), version, lastModified }
}
