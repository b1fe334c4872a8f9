import { useState } from 'preact/hooks'
import { api, type Flag, type ResponseOf } from '../../api.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { ActionForm } from '../../components/action-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField, TextArea } from '../../components/fields.tsx'
import { readLines } from '../../components/json-text.ts'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { ReviewDialog } from '../../review/review-dialog.tsx'
import { type FlagPlace, flagChange } from '../../review/reviewed-change.ts'
import type { Instruction } from '../../targeting/instructions-of.ts'
import { variationName } from '../../targeting/variation-name.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { ReleaseTimeline } from './release-timeline.tsx'
import { StageTable } from './stage-table.tsx'
import { readStages } from './stages.ts'

type Release = ResponseOf<'listAutomatedReleases'>['items'][number]

const { automated } = texts

/** The automated releases of a flag in an environment. Each action is reviewed like every change of a flag. */
export function AutomatedReleases({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const [reviewed, setReviewed] = useState<Instruction | undefined>(undefined)
  const [isStarting, setStarting] = useState(false)
  const keys = { projectKey: place.project, environmentKey: place.environment, flagKey: place.flag }
  const query = useQuery(`automated ${JSON.stringify(keys)}`, () => api.listAutomatedReleases({ ...keys, limit: 20 }))
  const resource = `proj/${place.project}:env/${place.environment}:flag/${place.flag}`
  return (
    <section class="panel">
      <div class="row middle">
        <h2>{automated.title}</h2>
        <ActionButton
          label={automated.start}
          action="updateFallthrough"
          resource={resource}
          onClick={() => setStarting(true)}
        />
      </div>
      <QueryView query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">{automated.none}</p>
          ) : (
            <ul class="plain-list">
              {items.map((release) => (
                <ReleaseEntry
                  key={release.id}
                  place={place}
                  release={release}
                  resource={resource}
                  onAction={setReviewed}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {isStarting && (
        <StartDialog
          flag={flag}
          onStart={(instruction) => {
            setStarting(false)
            setReviewed(instruction)
          }}
          onClose={() => setStarting(false)}
        />
      )}
      {reviewed && <ReviewDialog change={flagChange(place, [reviewed])} onClose={() => setReviewed(undefined)} />}
    </section>
  )
}

function ReleaseEntry({
  place,
  release,
  resource,
  onAction,
}: {
  place: FlagPlace
  release: Release
  resource: string
  onAction: (instruction: Instruction) => void
}) {
  const { kind, status, stages, latestStageIndex, startedAt, nextStepAt, reason, ruleId } = release
  const ofRule = ruleId === undefined ? {} : { ruleId }
  const action = ruleId === undefined ? 'updateFallthrough' : 'updateRules'
  const percent = String((stages[latestStageIndex]?.allocation ?? 0) / 1000)
  const button = { action, resource }
  const stop = (finalVariationId: string) => onAction({ kind: 'stopAutomatedRelease', finalVariationId, ...ofRule })
  return (
    <li class="entry">
      <p>
        <strong>{automated.kinds[kind]}</strong> · <span class="status">{automated.statuses[status]}</span> ·{' '}
        <Time value={startedAt} />
      </p>
      <p class="quiet">
        {automated.stage(latestStageIndex + 1, stages.length, percent)}
        {nextStepAt !== undefined && (
          <>
            {' · '}
            {texts.releases.nextStep}: <Time value={nextStepAt} />
          </>
        )}
      </p>
      {reason && <p>{automated.reason(reason)}</p>}
      {status === 'held' && <p>{automated.waits}</p>}
      <StageTable flag={place.flag} release={release} />
      <ReleaseTimeline place={place} release={release} />
      {(status === 'running' || status === 'held') && (
        <div class="row">
          {status === 'running' ? (
            <ActionButton
              {...button}
              label={automated.hold}
              onClick={() => onAction({ kind: 'holdAutomatedRelease', ...ofRule })}
            />
          ) : (
            <ActionButton
              {...button}
              label={automated.resume}
              onClick={() => onAction({ kind: 'resumeAutomatedRelease', ...ofRule })}
            />
          )}
          <ActionButton {...button} label={automated.stopOld} onClick={() => stop(release.originalVariationId)} />
          <ActionButton {...button} label={automated.stopNew} onClick={() => stop(release.targetVariationId)} />
        </div>
      )}
    </li>
  )
}

function StartDialog({
  flag,
  onStart,
  onClose,
}: {
  flag: Flag
  onStart: (instruction: Instruction) => void
  onClose: () => void
}) {
  const [from, setFrom] = useState(flag.variations[1]?._id ?? '')
  const [to, setTo] = useState(flag.variations[0]?._id ?? '')
  const [stageLines, setStageLines] = useState('10 24\n50 24')
  const [metrics, setMetrics] = useState('')
  const options = flag.variations.map((variation) => [variation._id, variationName(variation)] as const)
  const stages = readStages(stageLines)
  const start = async () => {
    const keys = readLines(metrics)
    onStart({
      kind: 'startAutomatedRelease',
      releaseKind: keys.length > 0 ? 'guarded' : 'progressive',
      originalVariationId: from,
      targetVariationId: to,
      stages: stages ?? [],
      ...(keys.length > 0 ? { metrics: keys.map((key) => ({ key })) } : {}),
    })
  }
  return (
    <Dialog title={automated.start} onClose={onClose}>
      <ActionForm submit={texts.targeting.review} onSubmit={start} onCancel={onClose} disabled={!stages}>
        <SelectField label={automated.from} value={from} onValue={setFrom} options={options} />
        <SelectField label={automated.to} value={to} onValue={setTo} options={options} />
        <TextArea
          label={automated.stages}
          help={automated.stagesHelp}
          error={stages ? undefined : automated.invalidStages}
          value={stageLines}
          onValue={setStageLines}
        />
        <TextArea label={automated.metrics} help={texts.linesHelp} value={metrics} onValue={setMetrics} />
      </ActionForm>
    </Dialog>
  )
}
