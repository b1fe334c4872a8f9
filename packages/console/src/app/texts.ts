import { administrationTexts } from './texts/administration.ts'
import { aiConfigTexts } from './texts/ai-configs.ts'
import { changeTexts } from './texts/changes.ts'
import { contextTexts } from './texts/contexts.ts'
import { flagTexts } from './texts/flags.ts'
import { insightTexts } from './texts/insights.ts'
import { projectTexts } from './texts/projects.ts'
import { releaseTexts } from './texts/releases.ts'
import { segmentTexts } from './texts/segments.ts'
import { targetingTexts } from './texts/targeting.ts'
import { workflowTexts } from './texts/workflows.ts'

/**
 * All English texts of the console, so that they can be translated in one place. A text with variable parts is a
 * function of these parts.
 */
export const texts = {
  ...administrationTexts,
  ...aiConfigTexts,
  ...changeTexts,
  ...contextTexts,
  ...flagTexts,
  ...insightTexts,
  ...projectTexts,
  ...releaseTexts,
  ...segmentTexts,
  ...targetingTexts,
  ...workflowTexts,
  brand: 'Halyard',
  skip: 'Skip to the content',
  loading: 'Loading…',
  retry: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  remove: 'Remove',
  add: 'Add',
  save: 'Save',
  create: 'Create',
  name: 'Name',
  key: 'Key',
  description: 'Description',
  tags: 'Tags',
  tagsHelp: 'Separate tags with commas.',
  keyHelp: 'Letters, digits, ".", "_" and "-". It cannot be changed later.',
  comment: 'Comment',
  linesHelp: 'Keys, one in each line.',
  none: 'none',
  searchMembers: 'Search members',
  more: 'Load more',
  notFound: 'There is nothing at this address.',
  unreachable: 'The server cannot be reached. Is it running?',
  newer: 'This page was changed by another person and shows the new state.',
  notAllowed: (label: string) => `${label}: not allowed`,
  navigation: {
    label: 'Pages',
    flags: 'Flags',
    board: 'Board',
    segments: 'Segments',
    contexts: 'Who gets what',
    approvals: 'Approvals',
    changeLog: 'Change log',
    projects: 'Projects',
    workflowTemplates: 'Workflow templates',
    releases: 'Releases',
    experiments: 'Experiments',
    metrics: 'Metrics',
    aiConfigs: 'AI configs',
    contextKinds: 'Context kinds',
    sdkKeys: 'SDK keys',
    tokens: 'Access tokens',
    members: 'Members',
    teams: 'Teams',
    roles: 'Roles',
    webhooks: 'Webhooks',
    destinations: 'Data export',
    oauthClients: 'OAuth clients',
    relays: 'Relays',
    ipAllowlist: 'IP allowlist',
    groups: { environment: 'This environment', account: 'All projects', administration: 'Administration' },
    insights: 'Insights',
    project: 'Project',
    environment: 'Environment',
    palette: 'Go to…',
    theme: 'Theme',
    themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    signOut: 'Sign out',
    signedInAs: (name: string) => `Signed in as ${name}`,
  },
  signIn: {
    title: 'Sign in',
    help: 'Enter an access token, or a token of your organization. It is kept in this tab alone, until the tab is closed.',
    token: 'Access token',
    submit: 'Sign in',
    refused: 'The server does not accept this token: it is wrong, has expired or was deleted.',
    atIssuer: (host: string) => `Sign in with ${host}`,
    issuerRefused: 'The sign-in was not accepted. Try it again, or enter an access token.',
    issuerUnreachable: 'The sign-in service cannot be reached. Enter an access token.',
    linkUsed: 'This sign-in link was used already or has expired. Ask for a new one, or enter an access token.',
  },
  palette: {
    title: 'Go to a page or a flag',
    input: 'Search pages and flags',
    empty: 'Nothing found',
  },
} as const
