import { durationText } from '../../../chart/unit.ts'
import type { ResponseOf } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Time } from '../../components/time.tsx'
import { texts } from '../../texts.ts'

type Release = ResponseOf<'listAutomatedReleases'>['items'][number]

const { automated } = texts

/**
 * Every stage of an automated release: the past stages, the current stage with the time of the next step, and the
 * following stages.
 */
export function StageTable({ flag, release }: { flag: string; release: Release }) {
  return (
    <DataTable
      label={automated.stageList(flag)}
      columns={automated.stageColumns}
      empty=""
      rows={release.stages.map(({ allocation, durationMillis }, index) => {
        const { state, from, until } = stateOf(release, index)
        return {
          key: `${index}`,
          cells: [
            `${allocation / 1000} %`,
            durationText(durationMillis, undefined),
            automated.stageStates[state],
            from === undefined ? '' : <Time key="from" value={from} />,
            until === undefined ? '' : <Time key="until" value={until} />,
          ],
        }
      })}
    />
  )
}

interface StageTimes {
  readonly state: string
  readonly from?: string | number | undefined
  readonly until?: string | number | undefined
}

/** Returns the state of a stage, and the times at which it began, and at which it ended or is going to end. */
function stateOf(release: Release, index: number): StageTimes {
  const { status, latestStageIndex, stageStartedAt, nextStepAt, endedAt, passedStages = [] } = release
  const passed = passedStages.find(({ stageIndex }) => stageIndex === index)
  if (passed) return { state: 'passed', from: passed.startedAt, until: passed.endedAt }
  if (index > latestStageIndex) return { state: endedAt === undefined ? 'planned' : 'skipped' }
  return { state: status, from: stageStartedAt, until: endedAt ?? nextStepAt }
}
