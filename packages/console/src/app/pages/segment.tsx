import { useEffect, useState } from 'preact/hooks'
import { consolePaths } from '../../console-paths.ts'
import { api, entityTagOf, type Segment } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { QueryView } from '../components/query-view.tsx'
import { hrefOf, Link, navigate } from '../navigation.tsx'
import { announce } from '../notices.ts'
import { recentContexts } from '../recent-contexts.ts'
import { SimulationReport, type SimulationView } from '../review/simulation-report.tsx'
import { callConsole } from '../session.ts'
import { sameJson } from '../targeting/draft.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import type { SegmentDraft } from './segment-draft.ts'
import { SegmentFields } from './segment-fields.tsx'

type Place = Readonly<Record<'project' | 'environment' | 'segment', string>>

/** The page of a segment. */
export function SegmentPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', segment: '', ...params }
  const segment = useQuery(`segment ${JSON.stringify(place)}`, () => api.getSegment(keysOf(place)))
  return <QueryView query={segment}>{(data) => <SegmentView place={place} segment={data} />}</QueryView>
}

function keysOf({ project, environment, segment }: Place) {
  return { projectKey: project, environmentKey: environment, segmentKey: segment }
}

function draftOf({ included, excluded = [], rules }: Segment): SegmentDraft {
  return { included, excluded, rules }
}

function SegmentView({ place, segment }: { place: Place; segment: Segment }) {
  const stored = draftOf(segment)
  const [edit, setEdit] = useState({ base: stored, draft: stored })
  const [dialog, setDialog] = useState<'review' | 'delete' | undefined>(undefined)
  const changed = !sameJson(edit.base, edit.draft)
  useEffect(() => {
    if (sameJson(stored, edit.base)) return
    // The change of another person replaces what is shown, unless this person has begun to edit.
    if (!changed) setEdit({ base: stored, draft: stored })
    else announce(texts.segments.conflict)
  }, [segment])
  const resource = `proj/${place.project}:env/${place.environment}:segment/${place.segment}`
  const isComplete = edit.draft.rules.every(({ clauses }) => clauses.every(({ values }) => values.length > 0))
  return (
    <>
      <PageTitle title={segment.name}>
        <ActionButton
          label={texts.segments.remove}
          action="deleteSegment"
          resource={resource}
          kind="danger"
          onClick={() => setDialog('delete')}
        />
      </PageTitle>
      <p>
        <code>{segment.key}</code>
      </p>
      {segment.description && <p>{segment.description}</p>}
      <UsingFlags place={place} segment={segment} />
      <section class="panel">
        {segment.unbounded ? (
          <p>{texts.segments.big}</p>
        ) : (
          <SegmentFields
            place={place}
            resource={resource}
            draft={edit.draft}
            onChange={(draft) => setEdit({ ...edit, draft })}
          />
        )}
        {changed && (
          <div class="bar">
            <span>{isComplete ? texts.targeting.unsaved : texts.targeting.stillInvalid}</span>
            <button type="button" class="primary" disabled={!isComplete} onClick={() => setDialog('review')}>
              {texts.targeting.review}
            </button>
            <button type="button" onClick={() => setEdit({ base: stored, draft: stored })}>
              {texts.targeting.discard}
            </button>
          </div>
        )}
      </section>
      {dialog === 'review' && (
        <SegmentReview
          place={place}
          base={edit.base}
          draft={edit.draft}
          onClose={() => setDialog(undefined)}
          onDone={() => {
            setDialog(undefined)
            setEdit({ base: edit.base, draft: edit.base })
          }}
        />
      )}
      {dialog === 'delete' && <DeleteSegment place={place} onClose={() => setDialog(undefined)} />}
    </>
  )
}

function UsingFlags({ place, segment }: { place: Place; segment: Segment }) {
  const flags = segment._flags ?? []
  return (
    <section class="panel">
      <h2>{texts.segments.flags}</h2>
      {flags.length === 0 ? (
        <p class="quiet">{texts.segments.noFlags}</p>
      ) : (
        <ul>
          {flags.map(({ key, name }) => (
            <li key={key}>
              <Link href={hrefOf('flag', { project: place.project, environment: place.environment, flag: key })}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function SegmentReview({
  place,
  base,
  draft,
  onClose,
  onDone,
}: {
  place: Place
  base: SegmentDraft
  draft: SegmentDraft
  onClose: () => void
  onDone: () => void
}) {
  const [comment, setComment] = useState('')
  const parts = (['included', 'excluded', 'rules'] as const).filter((part) => !sameJson(base[part], draft[part]))
  // `add` also sets a list that is absent.
  const patch = parts.map((part) => ({ op: 'add' as const, path: `/${part}`, value: draft[part] }))
  const simulation = useQuery(JSON.stringify([place, patch]), () =>
    callConsole<SimulationView>(consolePaths.simulation, { ...keysOf(place), patch, contexts: recentContexts() }),
  )
  const save = async () => {
    const path = [place.project, place.environment, place.segment].map(encodeURIComponent).join('/')
    const ifMatch = entityTagOf(`/api/v2/segments/${path}`)
    const body = comment === '' ? patch : { patch, comment }
    await api.patchSegment({ ...keysOf(place), body }, ifMatch === undefined ? {} : { ifMatch })
    announce(texts.review.done.now)
    onDone()
  }
  return (
    <Dialog title={texts.review.title} onClose={onClose} wide>
      <QueryView query={simulation}>{(result) => <SimulationReport simulation={result} />}</QueryView>
      <ActionForm submit={texts.review.submit.now} onSubmit={save}>
        <TextField label={texts.comment} value={comment} onValue={setComment} />
      </ActionForm>
    </Dialog>
  )
}

function DeleteSegment({ place, onClose }: { place: Place; onClose: () => void }) {
  const remove = async () => {
    await api.deleteSegment(keysOf(place))
    onClose()
    navigate(hrefOf('segments', { project: place.project, environment: place.environment }))
  }
  return (
    <Dialog title={texts.segments.remove} onClose={onClose}>
      <ActionForm submit={texts.segments.remove} onSubmit={remove} onCancel={onClose} danger>
        <p>{texts.segments.confirmRemoval(place.segment)}</p>
      </ActionForm>
    </Dialog>
  )
}
