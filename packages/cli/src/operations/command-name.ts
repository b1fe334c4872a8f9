import { type Operation, resources } from '@halyard/core/operations'

/** An operation with the words that call it: `halyard <group> <name>`. */
export interface OperationCommand {
  /** Title of the resource in kebab-case, e.g. `flags`. */
  readonly group: string
  readonly name: string
  readonly operation: Operation
}

/** The commands of one resource. */
export interface CommandGroup {
  readonly name: string
  readonly description: string
  readonly commands: readonly OperationCommand[]
}

/** Returns the commands of all resources, by the name of their group. */
export function commandGroups(): ReadonlyMap<string, CommandGroup> {
  const groups = resources
    .filter(({ operations }) => operations.length > 0)
    .map(({ title, description, operations }) => {
      const name = kebabCase(title)
      return { name, description, commands: commandsOf(name, operations) }
    })
  return new Map(groups.map((group) => [group.name, group]))
}

function commandsOf(group: string, operations: readonly Operation[]): OperationCommand[] {
  const ids = new Set(operations.map(({ id }) => kebabCase(id)))
  return operations.map((operation) => ({ group, name: nameOf(kebabCase(operation.id), group, ids), operation }))
}

/**
 * Returns the id without the words of the group: `list-flags` is `list`, `get-flag-status` is `get-status`. Some ids
 * are prescribed by the public clients; such a command gets the name that other commands use: `get-metrics` is `list`.
 * Where one operation changes a single resource and another operation changes several, the second command is
 * `patch-many`.
 */
function nameOf(id: string, group: string, ids: ReadonlySet<string>): string {
  const [verb = '', ...words] = id.split('-')
  const object = words.join('-')
  const singular = singularOf(group)
  const last = singular.split('-').at(-1) as string
  if (verb === 'get' && object === group && hasSingular(ids, singular)) return 'list'
  if (object === group && ids.has(`${verb}-${singular}`)) return `${verb}-many`
  const noun = [group, singular, `${last}s`, last].find((each) => object === each || object.startsWith(`${each}-`))
  const rest = noun === undefined ? object : object.slice(noun.length + 1)
  const plainVerb = verb === 'post' && rest === '' ? 'create' : verb
  return rest === '' ? plainVerb : `${plainVerb}-${rest}`
}

const hasSingular = (ids: ReadonlySet<string>, singular: string) => [...ids].some((id) => id.endsWith(`-${singular}`))

function singularOf(word: string): string {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '')
}

/** Returns a name in kebab-case: `createAIConfig` and `AI configs` begin with lower-case words. */
export function kebabCase(name: string): string {
  return name
    .replace(/OAuth/g, 'Oauth')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
}
