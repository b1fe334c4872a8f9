import type { Flag, FlagConfig } from '../api.ts'
import { DataTable } from '../components/data-table.tsx'
import { hrefOf, Link } from '../navigation.tsx'
import type { FlagPlace } from '../review/reviewed-change.ts'
import { variationName } from '../targeting/variation-name.ts'
import { texts } from '../texts.ts'

/** All environments of a flag side by side. */
export function EnvironmentsTable({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const { environment, state, rulesCount, targetsCount, serves, version, on, off } = texts.flag
  return (
    <section class="panel">
      <h2>{texts.flag.environments}</h2>
      <DataTable
        label={texts.flag.environments}
        columns={[environment, state, targetsCount, rulesCount, serves, version]}
        empty=""
        rows={Object.entries(flag.environments ?? {}).map(([key, config]) => ({
          key,
          cells: [
            <Link key="name" href={hrefOf('flag', { ...place, environment: key })} current={key === place.environment}>
              {config._environmentName}
            </Link>,
            <span key="state" class="status">
              {config.on ? on : off}
            </span>,
            keyCount(config),
            config.rules?.length ?? 0,
            servedText(flag, config),
            config.version,
          ],
        }))}
      />
    </section>
  )
}

function keyCount({ targets = [], contextTargets = [] }: FlagConfig): number {
  return [...targets, ...contextTargets].reduce((count, { values }) => count + values.length, 0)
}

function servedText(flag: Flag, { fallthrough: { variation, rollout } }: FlagConfig): string {
  if (!rollout) return variationName(flag.variations[variation ?? 0])
  return rollout.variations
    .map((entry) => `${entry.weight / 1000} % ${variationName(flag.variations[entry.variation])}`)
    .join(', ')
}
