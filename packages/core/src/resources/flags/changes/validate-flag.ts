import { type Flag, type Variation, valueKind } from '../../../models/flags/flag.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { ValidationError } from '../../../rules/json-guard.ts'
import { migrationStages } from '../../../rules/migration-safety/stages.ts'

const maxVariations = 200

/**
 * Returns the validation errors of the flag-wide part of a flag, regardless of how it was changed; empty when it is
 * valid.
 */
export function validateFlag(flag: Flag): ValidationError[] {
  const errors = flag.migrationSettings ? validateStages(flag) : validateVariations(flag)
  for (const property of ['onVariation', 'offVariation'] as const) {
    if (!flag.variations[flag.defaults[property]]) {
      errors.push({ attribute: `defaults.${property}`, reason: 'must be the index of a variation' })
    }
  }
  if (flag.maintainerId !== undefined && flag.maintainerTeamKey !== undefined) {
    errors.push({ attribute: 'maintainerTeamKey', reason: 'must be left out when the flag has a maintainerId' })
  }
  return errors
}

function validateVariations({ kind, variations }: Flag): ValidationError[] {
  const reason =
    countError(variations) ??
    valueError(variations) ??
    (kind === 'boolean' ? booleanError(variations) : multivariateError(variations))
  return reason === undefined ? [] : [{ attribute: 'variations', reason }]
}

function countError(variations: readonly Variation[]): string | undefined {
  if (variations.length < 2) return 'must contain at least 2 variations'
  if (variations.length > maxVariations) return `must contain at most ${maxVariations} variations`
  return undefined
}

/** Instructions also refer to variations by value (`updateDefaultVariation`), so values must be distinct. */
function valueError(variations: readonly Variation[]): string | undefined {
  const ids = new Set(variations.map(({ _id }) => _id))
  if (ids.size < variations.length) return 'must not repeat an _id'
  const repeated = variations.some(({ value }, index) =>
    variations.slice(0, index).some((other) => jsonEqual(other.value, value)),
  )
  return repeated ? 'must not repeat a value' : undefined
}

function booleanError(variations: readonly Variation[]): string | undefined {
  return variations.every(({ value }) => typeof value === 'boolean') ? undefined : 'must be true and false'
}

function multivariateError(variations: readonly Variation[]): string | undefined {
  const [first, ...others] = variations.map(({ value }) => valueKind(value))
  if (others.some((kind) => kind !== first)) return 'must all be booleans, strings, numbers or JSON'
  return first === 'boolean' ? 'must not be true and false in a multivariate flag' : undefined
}

/**
 * Checks that the variations of a migration flag are the stages of the migration, and that both defaults are the stage
 * `off`, at which a migration begins (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety).
 */
function validateStages({ migrationSettings, variations, defaults }: Flag): ValidationError[] {
  const stages: readonly string[] = migrationSettings ? migrationStages[migrationSettings.stageCount] : []
  const errors: ValidationError[] = []
  if (variations.length !== stages.length || variations.some(({ value }, index) => value !== stages[index])) {
    errors.push({ attribute: 'variations', reason: 'must be the stages of the migration' })
  }
  if (defaults.onVariation !== 0 || defaults.offVariation !== 0) {
    errors.push({ attribute: 'defaults', reason: 'must be the stage `off` in a migration flag' })
  }
  return errors
}
