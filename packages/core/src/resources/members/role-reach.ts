import type { Resource, ResourceLevel } from '../../rules/address.ts'
import { actionsOf } from '../../rules/policy/actions.ts'
import type { CompiledStatement } from '../../rules/policy/compiled-statement.ts'
import { type CompiledPolicy, compileRole, decide } from '../../rules/policy/policy.ts'
import { resourceShapes, specifierOf } from '../../rules/policy/resource-kinds.ts'
import { parseSpecifier, type Specifier, type SpecifierLevel } from '../../rules/policy/specifier.ts'
import type { Statement } from '../../rules/policy/statement.ts'

/**
 * Whether every layer of a caller allows all that the statements of a role can allow to anybody
 * (docs/decisions/0019-require-the-rights-of-a-role-to-assign-it.md).
 *
 * Errs on the safe side: patterns, placeholders, tags and the role's own denies count as if they were not there, so
 * that `env/test-*` asks for all environments. A plain key counts as itself.
 *
 * @param statements without faults, as they are stored.
 */
export function reaches(layers: readonly CompiledPolicy[], statements: readonly Statement[]): boolean {
  const given = compileRole({ name: 'given', statements }).statements.filter(({ effect }) => effect === 'allow')
  return layers.every((layer) => given.every((statement) => allowsAllOf(layer, statement)))
}

function allowsAllOf(layer: CompiledPolicy, statement: CompiledStatement): boolean {
  return specifiersOf(statement).every((specifier) => {
    const resource = widest(layer, specifier)
    const actions = actionsOf(resource[resource.length - 1]?.kind ?? '').filter(statement.namesAction)
    return actions.every((action) => decide(layer, action, resource).allowed)
  })
}

/** What a statement is about; one with `notResources` is taken to be about everything. */
function specifiersOf({ negated, specifiers }: CompiledStatement): readonly Specifier[] {
  const sources = negated ? resourceShapes.map(specifierOf) : specifiers.map(({ source }) => source)
  return sources.map((source) => parseSpecifier(source) as Specifier)
}

function widest(layer: CompiledPolicy, { levels }: Specifier): Resource {
  return levels.map((level) => widestLevel(layer, level))
}

/** A layer that asks for tags and the like is asked about all of a kind: which of them the one thing has is not known here. */
function widestLevel(layer: CompiledPolicy, { kind, name }: SpecifierLevel): ResourceLevel {
  if (!name) return { kind, key: '' }
  const [only, ...more] = name.parts
  const exact = only?.kind === 'text' && more.length === 0 && !layer.needs.has(kind)
  return { kind, key: exact ? only.text : '*' }
}
