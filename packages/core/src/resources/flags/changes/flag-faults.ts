import { type Flag, type Variation, valueKind } from '../../../models/flags/flag.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Fault } from '../../../rules/json-guard.ts'
import { migrationStages } from '../../../rules/migration-safety/stages.ts'

const mostVariations = 200

/**
 * Returns the validation errors of the flag-wide part of a flag, regardless of how it was changed; empty when it is
 * valid.
 */
export function flagFaults(flag: Flag): Fault[] {
  const faults = flag.migrationSettings ? stageFaults(flag) : variationFaults(flag)
  for (const member of ['onVariation', 'offVariation'] as const) {
    if (!flag.variations[flag.defaults[member]]) {
      faults.push({ attribute: `defaults.${member}`, reason: 'must be the index of a variation' })
    }
  }
  if (flag.maintainerId !== undefined && flag.maintainerTeamKey !== undefined) {
    faults.push({ attribute: 'maintainerTeamKey', reason: 'must be left out when the flag has a maintainerId' })
  }
  return faults
}

function variationFaults({ kind, variations }: Flag): Fault[] {
  const reason =
    amountFault(variations) ??
    valueFault(variations) ??
    (kind === 'boolean' ? booleanFault(variations) : multivariateFault(variations))
  return reason === undefined ? [] : [{ attribute: 'variations', reason }]
}

function amountFault(variations: readonly Variation[]): string | undefined {
  if (variations.length < 2) return 'must contain at least 2 variations'
  if (variations.length > mostVariations) return `must contain at most ${mostVariations} variations`
  return undefined
}

/** Instructions also refer to variations by value (`updateDefaultVariation`), so values must be distinct. */
function valueFault(variations: readonly Variation[]): string | undefined {
  const ids = new Set(variations.map(({ _id }) => _id))
  if (ids.size < variations.length) return 'must not repeat an _id'
  const repeated = variations.some(({ value }, at) =>
    variations.slice(0, at).some((other) => jsonEqual(other.value, value)),
  )
  return repeated ? 'must not repeat a value' : undefined
}

function booleanFault(variations: readonly Variation[]): string | undefined {
  return variations.every(({ value }) => typeof value === 'boolean') ? undefined : 'must be true and false'
}

function multivariateFault(variations: readonly Variation[]): string | undefined {
  const [first, ...others] = variations.map(({ value }) => valueKind(value))
  if (others.some((kind) => kind !== first)) return 'must all be booleans, strings, numbers or JSON'
  return first === 'boolean' ? 'must not be true and false in a multivariate flag' : undefined
}

/** The variations of a migration flag are its stages, and a migration that has not begun is at the stage off (D23). */
function stageFaults({ migrationSettings, variations, defaults }: Flag): Fault[] {
  const stages: readonly string[] = migrationSettings ? migrationStages[migrationSettings.stageCount] : []
  const faults: Fault[] = []
  if (variations.length !== stages.length || variations.some(({ value }, at) => value !== stages[at])) {
    faults.push({ attribute: 'variations', reason: 'must be the stages of the migration' })
  }
  if (defaults.onVariation !== 0 || defaults.offVariation !== 0) {
    faults.push({ attribute: 'defaults', reason: 'must be the stage off in a migration flag' })
  }
  return faults
}
