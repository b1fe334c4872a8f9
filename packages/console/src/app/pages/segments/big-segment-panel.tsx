import { useState } from 'preact/hooks'
import { api, refresh, type Segment } from '../../api.ts'
import { WhyNot } from '../../components/action-button.tsx'
import { ActionForm } from '../../components/action-form.tsx'
import { FileField, SelectField, TextField } from '../../components/fields.tsx'
import { Time } from '../../components/time.tsx'
import { announce } from '../../notices.ts'
import type { SegmentPlace } from '../../review/reviewed-change.ts'
import { rightTo } from '../../rights.ts'
import { texts } from '../../texts.ts'
import { type ImportMode, importKeys } from './import-keys.ts'

const { bigSegments } = texts

interface BigSegmentProps {
  readonly place: SegmentPlace
  readonly resource: string
}

/** The keys of a segment with a long list: how many there are, a search, and the upload of a file. */
export function BigSegmentPanel({ place, segment, resource }: BigSegmentProps & { segment: Segment }) {
  const { includedCount = 0, excludedCount = 0, lastModified = 0 } = segment._unboundedMetadata ?? {}
  const contextKind = segment.unboundedContextKind ?? 'user'
  return (
    <>
      <section class="panel">
        <h2>{bigSegments.title(contextKind)}</h2>
        <p>{bigSegments.counts(includedCount.toLocaleString(), excludedCount.toLocaleString())}</p>
        {lastModified > 0 && (
          <p class="quiet">
            {bigSegments.changed} <Time value={lastModified} />
          </p>
        )}
        <KeySearch place={place} />
      </section>
      <section class="panel">
        <h2>{bigSegments.upload}</h2>
        <UploadForm place={place} resource={resource} />
      </section>
    </>
  )
}

function KeySearch({ place: { project, environment, segment } }: { place: SegmentPlace }) {
  const [key, setKey] = useState('')
  const [found, setFound] = useState('')
  const search = async () => {
    const { userKey, included, excluded } = await api.getSegmentMembershipForContext({
      projectKey: project,
      environmentKey: environment,
      segmentKey: segment,
      contextKey: key.trim(),
    })
    setFound(bigSegments.found(userKey, included, excluded))
  }
  return (
    <ActionForm submit={bigSegments.search} onSubmit={search}>
      <TextField label={bigSegments.key} value={key} onValue={setKey} required />
      <p role="status">{found}</p>
    </ActionForm>
  )
}

/**
 * Uploads a file of keys, or shows the reason why the person may not upload. Some people may also ask for the approval
 * of an upload.
 */
function UploadForm({ place, resource }: BigSegmentProps) {
  const [file, setFile] = useState<File | undefined>(undefined)
  const [mode, setMode] = useState<ImportMode>('merge')
  const [when, setWhen] = useState<'now' | 'request'>('now')
  const [reason, setReason] = useState('')
  const [sent, setSent] = useState<number | undefined>(undefined)
  const right = rightTo('updateIncluded', resource).value
  const mayAsk = rightTo('createApprovalRequest', resource).value?.allowed ?? false
  if (!right) return null
  if (!right.allowed)
    return <WhyNot label={bigSegments.upload} action="updateIncluded" resource={resource} right={right} />
  const upload = async () => {
    if (!file) return
    setSent(0)
    try {
      const imported = await importKeys(place, file, { mode, waitOnApprovals: when === 'request' }, setSent)
      if (when === 'request') await requestApproval(resource, imported.id, reason)
      announce(bigSegments.done[when](imported.keyCount.toLocaleString()))
      setFile(undefined)
      refresh()
    } finally {
      setSent(undefined)
    }
  }
  return (
    <div data-action="updateIncluded" data-resource={resource}>
      <ActionForm submit={bigSegments.submit} onSubmit={upload} disabled={!file}>
        <FileField label={bigSegments.file} help={bigSegments.fileHelp} accept=".csv,.txt,text/*" onFile={setFile} />
        <SelectField
          label={bigSegments.mode}
          value={mode}
          onValue={setMode}
          options={Object.entries(bigSegments.modes) as [ImportMode, string][]}
        />
        {mayAsk && (
          <SelectField
            label={texts.review.when}
            value={when}
            onValue={setWhen}
            options={[
              ['now', texts.review.now],
              ['request', texts.review.request],
            ]}
          />
        )}
        {when === 'request' && (
          <TextField label={texts.review.requestDescription} value={reason} onValue={setReason} required />
        )}
        {sent !== undefined && <UploadProgress sent={sent} />}
      </ActionForm>
    </div>
  )
}

/**
 * The share of a file that was sent. After that the server stores the file, which takes a time that the page cannot
 * predict.
 */
function UploadProgress({ sent }: { sent: number }) {
  const label = sent < 1 ? bigSegments.sent(Math.floor(sent * 100)) : bigSegments.storing
  return (
    <div class="field">
      <progress aria-label={label} max={1} {...(sent < 1 ? { value: sent } : {})} />
      <span>{label}</span>
    </div>
  )
}

async function requestApproval(resourceId: string, importId: string, description: string): Promise<void> {
  const instructions = [{ kind: 'processBigSegmentImport' as const, importId }]
  await api.createApprovalRequest({ body: { resourceId, description, instructions } })
}
