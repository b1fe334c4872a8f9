import type { Resource, ResourceLevel } from '../../rules/address.ts'
import type { CompiledStatement } from '../../rules/policy/compiled-statement.ts'
import { type CompiledPolicy, decide } from '../../rules/policy/policy.ts'
import type { Specifier, SpecifierLevel } from '../../rules/policy/specifier.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { specifierOf } from '../../rules/policy/vocabulary.ts'
import { actionsOf, compileRole, parseSpecifier, resourceShapes } from '../policy.ts'

/**
 * Returns true if every layer of a caller allows all that the statements of a role can allow to any member
 * (docs/decisions/0019-require-the-rights-of-a-role-to-assign-it.md).
 *
 * The check is conservative: patterns, placeholders, tags and the role's own denies are ignored, so that `env/test-*`
 * requires the right to all environments. A key without a pattern covers exactly the resource with this key.
 *
 * @param statements valid statements, as they are stored.
 */
export function coversStatements(layers: readonly CompiledPolicy[], statements: readonly Statement[]): boolean {
  const allowStatements = compileRole({ name: 'given', statements }).statements.filter(
    ({ effect }) => effect === 'allow',
  )
  return layers.every((layer) => allowStatements.every((statement) => allowsStatement(layer, statement)))
}

function allowsStatement(layer: CompiledPolicy, statement: CompiledStatement): boolean {
  return specifiersOf(statement).every((specifier) => {
    const resource = widest(layer, specifier)
    const actions = actionsOf(resource[resource.length - 1]?.kind ?? '').filter(statement.matchesAction)
    return actions.every((action) => decide(layer, action, resource).allowed)
  })
}

/** Returns the specifiers of a statement. A statement with `notResources` is treated as one about everything. */
function specifiersOf({ negated, specifiers }: CompiledStatement): readonly Specifier[] {
  const sources = negated ? resourceShapes.map(specifierOf) : specifiers.map(({ source }) => source)
  return sources.map((source) => parseSpecifier(source) as Specifier)
}

function widest(layer: CompiledPolicy, { levels }: Specifier): Resource {
  return levels.map((level) => widestLevel(layer, level))
}

/**
 * Returns the widest resource that a level can name. When the layer uses tags or other qualifiers of the kind, the
 * result means all resources of the kind, because the tags of the named resource are not known here.
 */
function widestLevel(layer: CompiledPolicy, { kind, name }: SpecifierLevel): ResourceLevel {
  if (!name) return { kind, key: '' }
  const [first, ...others] = name.parts
  const exact = first?.kind === 'text' && others.length === 0 && !layer.needs.has(kind)
  return { kind, key: exact ? first.text : '*' }
}
