/**
 * Path below the mount path under which the console has its own files and functions. No page or operation has a path
 * that begins with it.
 */
export const ownRoot = '/-/'

/** The paths of the functions of the console's own server. */
export const consolePaths = {
  session: `${ownRoot}session`,
  signIn: `${ownRoot}sign-in`,
  signOut: `${ownRoot}sign-out`,
  issuer: `${ownRoot}issuer`,
  /** The address to which an issuer sends a person back. It serves the same document as the pages. */
  signedIn: `${ownRoot}signed-in`,
  rights: `${ownRoot}rights`,
  simulation: `${ownRoot}simulation`,
  explanation: `${ownRoot}explanation`,
  changes: `${ownRoot}changes`,
  evaluations: `${ownRoot}evaluations`,
  origin: `${ownRoot}origin`,
  assets: `${ownRoot}assets/`,
} as const

/** Header that every request of the console has. A page of another site cannot add it without a preflight request. */
export const consoleHeader = { name: 'x-requested-with', value: 'halyard-console' } as const

/**
 * The addresses of the pages, below the mount path. The `_site` links of the API lead to the addresses of flags and
 * segments.
 */
export const pagePaths = {
  home: '/',
  flags: '/:project/:environment/features',
  flag: '/:project/:environment/features/:flag',
  segments: '/:project/:environment/segments',
  segment: '/:project/:environment/segments/:segment',
  board: '/:project/:environment/board',
  contexts: '/:project/:environment/contexts',
  releases: '/:project/:environment/releases',
  experiments: '/:project/:environment/experiments',
  experiment: '/:project/:environment/experiments/:experiment',
  metrics: '/:project/:environment/metrics',
  aiConfigs: '/:project/:environment/ai-configs',
  aiConfig: '/:project/:environment/ai-configs/:config',
  insights: '/:project/:environment/insights',
  contextKinds: '/:project/:environment/context-kinds',
  sdkKeys: '/:project/:environment/sdk-keys',
  changeLog: '/-/change-log',
  approvals: '/-/approvals',
  projects: '/-/projects',
  workflowTemplates: '/-/workflow-templates',
  tokens: '/-/tokens',
  members: '/-/members',
  teams: '/-/teams',
  roles: '/-/roles',
  role: '/-/roles/:role',
  webhooks: '/-/webhooks',
  webhook: '/-/webhooks/:webhook',
  destinations: '/-/destinations',
  oauthClients: '/-/oauth-clients',
  relays: '/-/relays',
  relay: '/-/relays/:relay',
  ipAllowlist: '/-/ip-allowlist',
} as const

export type PageName = keyof typeof pagePaths

/** A page with the parameters of its address, decoded. */
export interface PageLocation {
  readonly page: PageName
  readonly params: Readonly<Record<string, string>>
}

const patterns = Object.entries(pagePaths).map(([page, path]) => ({
  page: page as PageName,
  pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}))

/** Returns the page at a path below the mount path; undefined when the console has no page there. */
export function pageAt(path: string): PageLocation | undefined {
  if (path.startsWith('/api/')) return undefined
  for (const { page, pattern } of patterns) {
    const match = pattern.exec(path)
    if (!match) continue
    try {
      const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
      return { page, params: Object.fromEntries(params) }
    } catch {
      return undefined
    }
  }
  return undefined
}

/** Returns the path of a page below the mount path. */
export function pathOfPage(page: PageName, params: Readonly<Record<string, string>> = {}): string {
  return pagePaths[page].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
