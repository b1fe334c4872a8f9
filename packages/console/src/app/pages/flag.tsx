import { useState } from 'preact/hooks'
import { api, type Flag } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { QueryView } from '../components/query-view.tsx'
import { currentQuery, hrefOf, Link } from '../navigation.tsx'
import { ReviewDialog } from '../review/review-dialog.tsx'
import { type FlagPlace, flagChange } from '../review/reviewed-change.ts'
import type { Instruction } from '../targeting/instructions-of.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { EnvironmentsTable } from './environments-table.tsx'
import { CloneDialog, DeleteDialog } from './flag-dialogs.tsx'
import { FlagHistory } from './flag-history.tsx'
import { FlagReferences } from './flags/flag-references.tsx'
import { FlagSettings } from './flags/flag-settings.tsx'
import { PendingChanges } from './pending-changes.tsx'
import { AutomatedReleases } from './releases/automated-releases.tsx'
import { TargetingPanel } from './targeting-panel.tsx'
import { VariationsPanel } from './variations-panel.tsx'
import { FlagWorkflows } from './workflows/flag-workflows.tsx'

const tabs = [
  'targeting',
  'variations',
  'releases',
  'pending',
  'workflows',
  'references',
  'settings',
  'history',
] as const

type Tab = (typeof tabs)[number]

/** The page of a flag. */
export function FlagPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', flag: '', ...params }
  const flag = useQuery(`flag ${place.project} ${place.flag}`, () =>
    api.getFlag({ projectKey: place.project, flagKey: place.flag }),
  )
  return <QueryView query={flag}>{(data) => <FlagView place={place} flag={data} />}</QueryView>
}

function FlagView({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const tab = tabs.find((each) => each === currentQuery.value.get('tab')) ?? 'targeting'
  return (
    <>
      <PageTitle title={flag.name} />
      <p>
        <code>{flag.key}</code>{' '}
        {flag.tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </p>
      {flag.description && <p>{flag.description}</p>}
      {flag.archived && <p class="status">{texts.flag.archived}</p>}
      <Actions place={place} flag={flag} />
      <Tabs place={place} current={tab} />
      {tab === 'targeting' && (
        <>
          <EnvironmentsTable place={place} flag={flag} />
          <TargetingPanel key={place.environment} place={place} flag={flag} />
        </>
      )}
      {tab === 'variations' && <VariationsPanel place={place} flag={flag} />}
      {tab === 'releases' && <AutomatedReleases place={place} flag={flag} />}
      {tab === 'pending' && <PendingChanges place={place} />}
      {tab === 'workflows' && <FlagWorkflows place={place} flag={flag} />}
      {tab === 'references' && <FlagReferences place={place} />}
      {tab === 'settings' && <FlagSettings place={place} flag={flag} />}
      {tab === 'history' && <FlagHistory place={place} />}
    </>
  )
}

function Tabs({ place, current }: { place: FlagPlace; current: Tab }) {
  return (
    <nav class="tabs" aria-label={texts.flag.tabs}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab}>
            <Link href={hrefOf('flag', { ...place }, tab === 'targeting' ? {} : { tab })} current={tab === current}>
              {texts.flag[tab]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Actions({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const [dialog, setDialog] = useState<'clone' | 'delete' | Instruction | undefined>(undefined)
  const everywhere = `proj/${place.project}:env/*:flag/${place.flag}`
  const close = () => setDialog(undefined)
  return (
    <div class="row">
      <ActionButton
        label={flag.archived ? texts.flag.restore : texts.flag.archive}
        action="updateGlobalArchived"
        resource={everywhere}
        onClick={() => setDialog({ kind: flag.archived ? 'restoreFlag' : 'archiveFlag' })}
      />
      <ActionButton
        label={texts.flag.clone}
        action="createFlag"
        resource={`proj/${place.project}:env/*:flag/*`}
        onClick={() => setDialog('clone')}
      />
      <ActionButton
        label={texts.flag.remove}
        action="deleteFlag"
        resource={everywhere}
        kind="danger"
        onClick={() => setDialog('delete')}
      />
      {dialog === 'clone' && <CloneDialog place={place} flag={flag} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog place={place} onClose={close} />}
      {typeof dialog === 'object' && <ReviewDialog change={flagChange(place, [dialog])} onClose={close} />}
    </div>
  )
}
