import * as v from 'valibot'
import type { Flag } from '../../../models/flags/flag.ts'
import type { ConfigKeys, FlagConfig } from '../../../models/flags/flag-config.ts'
import type { Context } from '../../../operation/context.ts'
import { text } from '../../../operation/schema.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Writer } from '../../../storage/writer.ts'
import { contextKind } from '../../targeting/clause-schema.ts'
import { applyFlagInstructions } from '../changes/apply-flag-instructions.ts'
import { saveFlag } from '../changes/save-flag.ts'
import { loadFlag } from '../flag-state.ts'
import type { FlagInstruction } from '../instructions/flag-instruction.ts'

/** Schema of the setting of a flag for a context: the value of a variation; null or no value removes the setting. */
export const settingRequest = () => v.strictObject({ setting: v.optional(v.unknown()), comment: v.optional(text()) })

/** Errors of operations that set a flag for a context. */
export const settingErrors = ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'] as const

/** A context of one kind. */
export interface TargetedContext {
  readonly contextKind: string
  readonly contextKey: string
}

/** Returns the index of the variation of which a context is a target; undefined when it is a target of none. */
export function settingOf(
  { targets, contextTargets }: FlagConfig,
  { contextKind, contextKey }: TargetedContext,
): number | undefined {
  const ownTarget = [...targets, ...contextTargets].find(
    (target) => target.contextKind === contextKind && target.values.includes(contextKey),
  )
  return ownTarget?.variation
}

/**
 * Makes a context a target of the variation with this value, and no longer a target of another variation.
 *
 * @param setting value of a variation; null or undefined: the context is a target of none afterwards.
 */
export async function putSetting(
  context: Context<Writer, (typeof settingErrors)[number]>,
  { projectKey, flagKey, environmentKey }: ConfigKeys,
  targeted: TargetedContext,
  { setting, comment }: v.InferOutput<ReturnType<typeof settingRequest>>,
): Promise<void> {
  const keys = { projectKey, flagKey }
  const before = (await loadFlag(context.tx, keys, context)) ?? context.fail('not_found')
  const config = before.configs.get(environmentKey) ?? context.fail('not_found')
  const requestedIndex = setting === null || setting === undefined ? undefined : indexOf(before.flag, setting)
  const invalid = (attribute: string, reason: string) =>
    context.fail('invalid_request', { errors: [{ attribute, reason }] })
  if (requestedIndex === -1) invalid('setting', 'must be the value of a variation of the flag, or null')
  const kind = v.safeParse(contextKind(), targeted.contextKind)
  if (!kind.success) invalid('contextKind', kind.issues[0].message)
  const instructions = instructionsFor(before.flag, { before: settingOf(config, targeted), requestedIndex }, targeted)
  if (instructions.length === 0) return
  const patch = { format: 'semantic', instructions, environmentKey, comment } as const
  await saveFlag(context, { keys, before }, await applyFlagInstructions(context, { keys, before }, patch))
}

function indexOf({ variations }: Flag, setting: unknown): number {
  return variations.findIndex(({ value }) => jsonEqual(value, setting))
}

/** The indexes of the variations that a context receives before and after a change. */
interface SettingChange {
  readonly before: number | undefined
  readonly requestedIndex: number | undefined
}

function instructionsFor(
  { variations }: Flag,
  { before, requestedIndex }: SettingChange,
  { contextKind, contextKey }: TargetedContext,
): FlagInstruction[] {
  if (before === requestedIndex) return []
  const instruction = (kind: 'addTargets' | 'removeTargets', index: number): FlagInstruction => ({
    kind,
    contextKind,
    values: [contextKey],
    variationId: variations[index]?._id ?? '',
  })
  return [
    ...(before === undefined ? [] : [instruction('removeTargets', before)]),
    ...(requestedIndex === undefined ? [] : [instruction('addTargets', requestedIndex)]),
  ]
}
