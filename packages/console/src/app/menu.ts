import { type PageName, pagePaths } from '../console-paths.ts'

/** The pages in the menus, in groups. All other pages can be reached from one of these. */
export const menu = {
  environment: [
    'flags',
    'board',
    'segments',
    'contexts',
    'releases',
    'experiments',
    'metrics',
    'aiConfigs',
    'insights',
    'contextKinds',
    'sdkKeys',
  ],
  account: ['approvals', 'changeLog', 'projects', 'workflowTemplates'],
  administration: [
    'tokens',
    'members',
    'teams',
    'roles',
    'webhooks',
    'destinations',
    'oauthClients',
    'relays',
    'ipAllowlist',
  ],
} as const satisfies Readonly<Record<string, readonly PageName[]>>

export type MenuGroup = keyof typeof menu

export type MenuPage = (typeof menu)[MenuGroup][number]

/** Returns true for pages about an environment, whose address contains it. */
export function isAboutEnvironment(page: PageName): boolean {
  return pagePaths[page].startsWith('/:project/:environment/')
}

/** A page with a parameter of its own belongs to the page of the menu that leads to it. */
const parents: Readonly<Partial<Record<PageName, MenuPage>>> = {
  flag: 'flags',
  segment: 'segments',
  experiment: 'experiments',
  aiConfig: 'aiConfigs',
  role: 'roles',
  webhook: 'webhooks',
  relay: 'relays',
}

/** Returns the page of the menu to which a page belongs. */
export function menuPageOf(page: PageName): PageName {
  return parents[page] ?? page
}
