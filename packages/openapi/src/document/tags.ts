import type { Operation } from '@halyard/core/operations'
import { pascal } from './name-schemas.ts'

interface Tag {
  readonly name: string
  readonly description: string
  /** Which paths are about it, without `/api/v2` before them and with `{}` for each parameter; the first tag counts. */
  readonly paths: RegExp
}

/** The tags of operations, in the order in which a reader gets to know them. */
const tags: readonly Tag[] = [
  { name: 'Projects', description: 'Projects hold flags and environments.', paths: /^\/projects(\/\{\})?$/ },
  {
    name: 'Environments',
    description: 'Environments of a project, each with keys for SDKs and rules for changes.',
    paths: /^\/projects\/\{\}\/environments(\/\{\}(\/(apiKey|mobileKey))?)?$/,
  },
  {
    name: 'Flags',
    description: 'Feature flags, and how they behave in each environment.',
    paths: /^\/(flags|flag-status|flag-statuses)\/(?!.*\/release$)|\/migration-safety-issues$/,
  },
  { name: 'Flag links', description: 'Links from a flag to something elsewhere.', paths: /^\/flag-links\// },
  {
    name: 'Scheduled changes',
    description: 'Changes of a flag that are made at a time to come.',
    paths: /\/scheduled-changes/,
  },
  {
    name: 'Approval requests',
    description: 'Changes that others have to approve before they are made.',
    paths: /\/approval-requests/,
  },
  { name: 'Segments', description: 'Groups of contexts that flags target.', paths: /^\/segments\// },
  {
    name: 'Context kinds',
    description: 'The kinds of contexts that flags are evaluated for.',
    paths: /\/context-kinds/,
  },
  {
    name: 'Experimentation settings',
    description: 'The units by which the experiments of a project randomize.',
    paths: /\/experimentation-settings$/,
  },
  {
    name: 'Views',
    description: 'Selections of flags and segments of a project, linked by key or by filter.',
    paths: /\/(views|view-associations)(\/|$)/,
  },
  {
    name: 'Release pipelines',
    description: 'Phases that flags go through on their way to production.',
    paths: /\/release-pipelines(?!.*\/releases$)/,
  },
  {
    name: 'Releases',
    description: 'The way of a flag through the phases of a release pipeline.',
    paths: /\/releases?(\/|$)/,
  },
  {
    name: 'Release policies',
    description: 'How flags shall be released, by rank and scope.',
    paths: /\/release-policies/,
  },
  { name: 'Members', description: 'The people of the account.', paths: /^\/members/ },
  { name: 'Teams', description: 'Groups of members, with roles of their own.', paths: /^\/teams/ },
  { name: 'Roles', description: 'Custom roles: policies that say who may do what.', paths: /^\/roles/ },
  { name: 'Access tokens', description: 'What callers show to be let in.', paths: /^\/tokens/ },
  { name: 'OAuth clients', description: 'Applications that ask members for access.', paths: /^\/oauth\// },
  {
    name: 'Webhooks',
    description: 'Addresses that are told of changes, and what became of each message.',
    paths: /^\/webhooks/,
  },
  { name: 'Destinations', description: 'Where data is exported to.', paths: /^\/destinations/ },
  {
    name: 'Code references',
    description: 'Where code refers to flags: repositories, branches, and commits that took flags out.',
    paths: /^\/code-refs\//,
  },
  {
    name: 'Deployments',
    description: 'What was deployed where, and how that went.',
    paths: /^\/engineering-insights\/deployment/,
  },
  {
    name: 'Insights',
    description: 'Lead times, charts and scores of the work in an environment.',
    paths: /^\/engineering-insights\//,
  },
  {
    name: 'Agent optimizations',
    description: 'Runs that improve an agent, with their results.',
    paths: /\/agent-optimizations/,
  },
  { name: 'Agent graphs', description: 'Which agents hand over to which.', paths: /\/agent-graphs/ },
  { name: 'Prompt snippets', description: 'Pieces of prompts that AI configs share.', paths: /\/prompt-snippets/ },
  { name: 'Agent skills', description: 'What agents can be taught.', paths: /\/ai-configs\/skills/ },
  { name: 'Model configs', description: 'Models with their parameters, for AI configs.', paths: /\/model-configs/ },
  { name: 'AI configs', description: 'Prompts and models in variations, targeted like flags.', paths: /\/ai-configs/ },
  { name: 'AI tools', description: 'Tools that AI configs offer to a model.', paths: /\/ai-tools/ },
  {
    name: 'Change log',
    description: 'Everything that was changed, by whom and how to take it back.',
    paths: /^\/auditlog/,
  },
]

/** The tag of an operation; one that no line above is about is called after its path. */
export function tagOf({ path }: Pick<Operation, 'path'>): string {
  const plain = path.replace(/^\/api\/v2/, '').replaceAll(/\{\w+\}/g, '{}')
  return tags.find(({ paths }) => paths.test(plain))?.name ?? nameFrom(plain)
}

/** What a tag is about; its own name where nothing is written of it. */
export function describeTag(name: string): string {
  return tags.find((tag) => tag.name === name)?.description ?? `${name}.`
}

/** The names of these tags in the order of the list above, those that are not in it last. */
export function inOrder(names: ReadonlySet<string>): string[] {
  const known = tags.map(({ name }) => name).filter((name) => names.has(name))
  return [...known, ...[...names].filter((name) => !known.includes(name)).sort()]
}

function nameFrom(path: string): string {
  const words = path.split('/').filter((part) => part !== '' && part !== '{}')
  const word = words[0] === 'projects' && words.length > 1 ? words[1] : words[0]
  return pascal(word ?? 'Other').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
