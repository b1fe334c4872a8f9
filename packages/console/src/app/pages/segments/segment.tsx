import { useState } from 'preact/hooks'
import { api, entityTagOf, type Segment } from '../../api.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { ActionForm } from '../../components/action-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { hrefOf, Link, navigate } from '../../navigation.tsx'
import { type SegmentPlace, segmentChange } from '../../review/reviewed-change.ts'
import { DraftPanel } from '../../targeting/draft-panel.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { BigSegmentPanel } from './big-segment-panel.tsx'
import { segmentDraftOf, segmentDrafts } from './segment-draft.ts'
import { SegmentFields } from './segment-fields.tsx'

/** The page of a segment. */
export function SegmentPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', segment: '', ...params }
  const segment = useQuery(`segment ${JSON.stringify(place)}`, () => api.getSegment(keysOf(place)))
  return <QueryView query={segment}>{(data) => <SegmentView place={place} segment={data} />}</QueryView>
}

function keysOf({ project, environment, segment }: SegmentPlace) {
  return { projectKey: project, environmentKey: environment, segmentKey: segment }
}

function SegmentView({ place, segment }: { place: SegmentPlace; segment: Segment }) {
  const [deleting, setDeleting] = useState(false)
  const resource = `proj/${place.project}:env/${place.environment}:segment/${place.segment}`
  const path = [place.project, place.environment, place.segment].map(encodeURIComponent).join('/')
  return (
    <>
      <PageTitle title={segment.name}>
        <ActionButton
          label={texts.segments.remove}
          action="deleteSegment"
          resource={resource}
          kind="danger"
          onClick={() => setDeleting(true)}
        />
      </PageTitle>
      <p>
        <code>{segment.key}</code>
      </p>
      {segment.description && <p>{segment.description}</p>}
      <UsingFlags place={place} segment={segment} />
      {segment.unbounded ? (
        <BigSegmentPanel place={place} segment={segment} resource={resource} />
      ) : (
        <DraftPanel
          title={texts.segments.members}
          kind={segmentDrafts}
          stored={segmentDraftOf(segment)}
          tag={entityTagOf(`/api/v2/segments/${path}`)}
          editor={(draft, onChange) => (
            <SegmentFields place={place} resource={resource} draft={draft} onChange={onChange} />
          )}
          changeOf={(instructions, tag) => segmentChange(place, instructions, tag)}
        />
      )}
      {deleting && <DeleteSegment place={place} onClose={() => setDeleting(false)} />}
    </>
  )
}

function UsingFlags({ place, segment }: { place: SegmentPlace; segment: Segment }) {
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

function DeleteSegment({ place, onClose }: { place: SegmentPlace; onClose: () => void }) {
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
