import { flags } from '../../models/flags/flag.ts'
import type { Mandate } from '../../models/tokens/mandate.ts'
import { onOrOff } from '../../rules/sentences/sentence.ts'
import { documents, type Keys, shownTime, type Versioned } from '../../storage/collection.ts'

/** A URL with a secret that turns a flag on or off in one environment, for systems that cannot store a token. */
export interface FlagTrigger extends Versioned {
  readonly id: string
  /** Key of the kind of system that sends the requests, e.g. `generic-trigger`. It has no effect. */
  readonly integrationKey: string
  readonly enabled: boolean
  /** Exactly one instruction. */
  readonly instructions: readonly TriggerInstruction[]
  /** The rights of the author. A request makes the change with the rights that the author still has at that time. */
  readonly mandate: Mandate
  /** SHA-256 of the secret in the URL; undefined after a restore, until the trigger gets a new URL. */
  readonly hash?: string
  readonly createdAt: number
}

export interface TriggerInstruction {
  readonly kind: 'turnFlagOn' | 'turnFlagOff'
}

const flag = 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}'
const address = `${flag}:flag-trigger/{id}` as const

const turns = ([instruction]: FlagTrigger['instructions']) => onOrOff(instruction?.kind === 'turnFlagOn')

export const flagTriggers = documents<FlagTrigger>()({
  name: 'flag-trigger',
  address,
  policyAddress: flag,
  fields: ({ createdAt }) => ({ createdAt }),
  shown: {
    id: '_id',
    integrationKey: '_integrationKey',
    mandate: ({ memberId }) => (memberId === undefined ? {} : { _maintainerId: memberId }),
    hash: null,
    createdAt: shownTime('_creationDate'),
  },
  partOf: flags,
  sentences: {
    name: (_, whole) => whole,
    created: ({ instructions }, { it }) => `added a trigger to ${it} that turns it ${turns(instructions)}`,
    deleted: ({ instructions }, { it }) => `deleted the trigger of ${it} that turns it ${turns(instructions)}`,
    changed: {
      enabled: (_, { enabled }, { it }) => `turned ${onOrOff(enabled)} the trigger of ${it}`,
      instructions: (_, { instructions }, { it }) =>
        `changed the trigger of ${it}: it turns the flag ${turns(instructions)}`,
      hash: (_before, _after, { it }) => `reset the URL of the trigger of ${it}`,
    },
  },
  changes: {
    id: null,
    integrationKey: null,
    enabled: 'updateTriggers',
    instructions: 'updateTriggers',
    mandate: null,
    hash: 'updateTriggers',
    createdAt: null,
  },
  secrets: ['hash'],
  // A trigger that was restored without secrets has no URL. A patch gives it a new URL.
  withoutSecrets: { missing: (trigger) => trigger },
})

export type FlagTriggerKeys = Keys<typeof address>

/** Index entry by which a trigger is found from the id in its URL. */
export interface FlagTriggerIndex extends Versioned {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flagKey: string
}

export const flagTriggerIndex = documents<FlagTriggerIndex>()({
  name: 'flag-trigger-index',
  address: 'flag-trigger-index/{id}',
  fields: ({ projectKey, environmentKey, flagKey }) => ({ projectKey, environmentKey, flagKey }),
})

/**
 * Counts the requests to a trigger. Stored separately, so that requests do not conflict with changes of the trigger.
 */
export interface FlagTriggerUse extends Versioned {
  readonly count: number
  /** Integer ms, UTC. */
  readonly lastAt: number
}

export const flagTriggerUses = documents<FlagTriggerUse>()({
  name: 'flag-trigger-use',
  recorded: true,
  address: `${address}:flag-trigger-use/all`,
})
