import { KEYLESS_KIND } from '../address.ts'

/**
 * Every place where a resource can stand, as the kinds of its levels: `proj:env:flag` is a flag in an environment of
 * a project. A specifier has exactly these levels (D14, D15). A kind may stand in several places.
 */
export const resourceShapes = [
  'acct',
  'announcement',
  'application',
  'code-reference-repository',
  'integration',
  'member',
  'member:token',
  'oauth-client',
  'relay-proxy-config',
  'role',
  'service-token',
  'team',
  'template',
  'webhook',
  'proj',
  'proj:agent-graph',
  'proj:agent-optimization',
  'proj:agent-skill',
  'proj:ai-model-config',
  'proj:ai-tool',
  'proj:aiconfig',
  'proj:commit',
  'proj:context-kind',
  'proj:layer',
  'proj:metric',
  'proj:metric-group',
  'proj:prompt-snippet',
  'proj:pull-request',
  'proj:release-pipeline',
  'proj:release-policy',
  'proj:repository',
  'proj:view',
  'proj:env',
  'proj:env:aiconfig',
  'proj:env:application',
  'proj:env:deployment',
  'proj:env:destination',
  'proj:env:experiment',
  'proj:env:flag',
  'proj:env:flag-event',
  'proj:env:holdout',
  'proj:env:insight-group',
  'proj:env:lead-time-sample',
  'proj:env:product-analytics-dashboard',
  'proj:env:segment',
  'proj:env:user',
] as const

/** One of `resourceShapes`: the kinds in an address from the top down, e.g. `proj:env:flag`. */
export type ResourceShape = (typeof resourceShapes)[number]

type LastKind<Shape extends string> = Shape extends `${string}:${infer Rest}` ? LastKind<Rest> : Shape

/** The kinds of resources, e.g. `flag`. */
export type ResourceKind = LastKind<ResourceShape>

const shapes: ReadonlySet<string> = new Set(resourceShapes)
const kinds: ReadonlySet<string> = new Set(resourceShapes.map(lastKind))

const NOUNS: Readonly<Record<string, string>> = {
  acct: 'account',
  aiconfig: 'AI config',
  'ai-model-config': 'AI model config',
  'ai-tool': 'AI tool',
  env: 'environment',
  'oauth-client': 'OAuth client',
  proj: 'project',
  'relay-proxy-config': 'Relay Proxy configuration',
}

/** Whether resources stand at this chain of kinds, e.g. `proj:env:flag`. */
export function isResourceShape(shape: string): shape is ResourceShape {
  return shapes.has(shape)
}

/** Whether the word is a kind of resource, wherever it stands. */
export function isResourceKind(kind: string): kind is ResourceKind {
  return kinds.has(kind)
}

/** The places where a kind stands, e.g. `['proj:aiconfig', 'proj:env:aiconfig']`. */
export function shapesOf(kind: string): readonly ResourceShape[] {
  return resourceShapes.filter((shape) => lastKind(shape) === kind)
}

/** The kind of the last level, e.g. `flag` of `proj:env:flag`. */
export function lastKind<Shape extends string>(shape: Shape): LastKind<Shape> {
  return shape.slice(shape.lastIndexOf(':') + 1) as LastKind<Shape>
}

/** The specifier of everything that stands there, e.g. `proj/*:env/*` of `proj:env`. */
export function specifierOf(shape: ResourceShape): string {
  return shape
    .split(':')
    .map((kind) => (kind === KEYLESS_KIND ? kind : `${kind}/*`))
    .join(':')
}

/** What people call a kind, e.g. `environment` for `env`. */
export function nounOf(kind: string): string {
  return Object.hasOwn(NOUNS, kind) ? (NOUNS[kind] as string) : kind.replaceAll('-', ' ')
}
