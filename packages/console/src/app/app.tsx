import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageName } from '../console-paths.ts'
import { Sidebar } from './components/sidebar.tsx'
import { TopBar } from './components/top-bar.tsx'
import { currentPage, visits } from './navigation.tsx'
import { notice } from './notices.ts'
import { SignIn } from './pages/sign-in.tsx'
import { isLoadingRights } from './rights.ts'
import { session } from './session.ts'
import { texts } from './texts.ts'
import './theme.ts'

/** A component that receives the parameters of the page's address. */
type Page = ComponentType<{ params: Readonly<Record<string, string>> }>

/** Each page is a file of its own that is loaded at the first visit. */
const pages: Readonly<Record<PageName, () => Promise<Page>>> = {
  home: async () => (await import('./pages/home.tsx')).HomePage,
  flags: async () => (await import('./pages/flags.tsx')).FlagsPage,
  flag: async () => (await import('./pages/flag.tsx')).FlagPage,
  segments: async () => (await import('./pages/segments/segments.tsx')).SegmentsPage,
  segment: async () => (await import('./pages/segments/segment.tsx')).SegmentPage,
  board: async () => (await import('./pages/board/board.tsx')).BoardPage,
  contexts: async () => (await import('./pages/contexts.tsx')).ContextsPage,
  releases: async () => (await import('./pages/releases/releases.tsx')).ReleasesPage,
  experiments: async () => (await import('./pages/experiments/experiments.tsx')).ExperimentsPage,
  experiment: async () => (await import('./pages/experiments/experiment.tsx')).ExperimentPage,
  metrics: async () => (await import('./pages/experiments/metrics.tsx')).MetricsPage,
  aiConfigs: async () => (await import('./pages/ai-configs/ai-configs.tsx')).AIConfigsPage,
  aiConfig: async () => (await import('./pages/ai-configs/ai-config.tsx')).AIConfigPage,
  insights: async () => (await import('./pages/insights/insights.tsx')).InsightsPage,
  contextKinds: async () => (await import('./pages/context-kinds.tsx')).ContextKindsPage,
  sdkKeys: async () => (await import('./pages/administration/sdk-keys.tsx')).SdkKeysPage,
  changeLog: async () => (await import('./pages/change-log.tsx')).ChangeLogPage,
  approvals: async () => (await import('./pages/approvals.tsx')).ApprovalsPage,
  projects: async () => (await import('./pages/projects.tsx')).ProjectsPage,
  workflowTemplates: async () => (await import('./pages/workflows/workflow-templates.tsx')).WorkflowTemplatesPage,
  tokens: async () => (await import('./pages/administration/tokens.tsx')).TokensPage,
  members: async () => (await import('./pages/administration/members.tsx')).MembersPage,
  teams: async () => (await import('./pages/administration/teams.tsx')).TeamsPage,
  roles: async () => (await import('./pages/administration/roles.tsx')).RolesPage,
  role: async () => (await import('./pages/administration/role.tsx')).RolePage,
  webhooks: async () => (await import('./pages/administration/webhooks.tsx')).WebhooksPage,
  webhook: async () => (await import('./pages/administration/webhook.tsx')).WebhookPage,
  destinations: async () => (await import('./pages/administration/destinations.tsx')).DestinationsPage,
  oauthClients: async () => (await import('./pages/administration/oauth-clients.tsx')).OAuthClientsPage,
  relays: async () => (await import('./pages/administration/relays.tsx')).RelaysPage,
  relay: async () => (await import('./pages/administration/relay.tsx')).RelayPage,
  ipAllowlist: async () => (await import('./pages/administration/ip-allowlist.tsx')).IpAllowlistPage,
}

/** Loads the scripts of the page at the address while the server identifies the person. */
export function preloadPage(): void {
  const { page } = currentPage.peek() ?? {}
  // An error of this early load is ignored here, and reported when the page is shown.
  if (page) pages[page]().catch(() => undefined)
}

/** The whole console. */
export function App() {
  if (session.value === undefined) return <p class="quiet panel sign-in">{texts.loading}</p>
  if (!session.value.signedIn) return <SignIn />
  return (
    <>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <TopBar />
      <div class="body">
        <Sidebar />
        <main id="content" tabIndex={-1} aria-busy={isLoadingRights.value}>
          <p role="status" class="notice">
            {notice.value}
          </p>
          <CurrentPage />
        </main>
      </div>
    </>
  )
}

function CurrentPage() {
  const place = currentPage.value
  const [loaded, setLoaded] = useState<{ name: PageName; Page: Page } | undefined>(undefined)
  const focused = useRef(visits.peek())
  useEffect(() => {
    if (!place || loaded?.name === place.page) return
    void pages[place.page]().then((Page) => setLoaded({ name: place.page, Page }))
  }, [place?.page])
  useEffect(() => {
    // The heading of a new page gets the focus, so that a screen reader reads it.
    if (loaded?.name !== place?.page || focused.current === visits.value) return
    focused.current = visits.value
    notice.value = ''
    document.querySelector<HTMLElement>('main h1')?.focus()
  })
  if (!place) return <h1 tabIndex={-1}>{texts.notFound}</h1>
  if (loaded?.name !== place.page) return <p class="quiet">{texts.loading}</p>
  const { Page } = loaded
  return <Page key={JSON.stringify(place)} params={place.params} />
}
