import { api, type Flag } from '../api.ts'
import { QueryView } from '../components/query-view.tsx'
import { type FlagPlace, flagChange, flagTag } from '../review/reviewed-change.ts'
import { draftOf } from '../targeting/draft.ts'
import { TargetingDraftPanel } from '../targeting/targeting-draft-panel.tsx'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'

/** The targeting of a flag in an environment: editor, review, and the merge with concurrent changes. */
export function TargetingPanel({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const config = flag.environments?.[place.environment]
  const keys = (config?.prerequisites ?? []).map(({ key }) => key)
  const prerequisites = useQuery(`prerequisites ${place.project} ${keys.join(' ')}`, async () => {
    const flags = keys.map((flagKey) => api.getFlag({ projectKey: place.project, flagKey }))
    return Object.fromEntries((await Promise.all(flags)).map(({ key, variations }) => [key, variations]))
  })
  if (!config) return null
  return (
    <QueryView query={prerequisites}>
      {(variationsByFlag) => {
        const ids = Object.fromEntries(
          Object.entries(variationsByFlag).map(([key, variations]) => [key, variations.map(({ _id }) => _id)]),
        )
        const stored = draftOf(
          config,
          flag.variations.map(({ _id }) => _id),
          ids,
        )
        return (
          <TargetingDraftPanel
            title={texts.targeting.title(config._environmentName)}
            place={place}
            subject={{
              resource: `proj/${place.project}:env/${place.environment}:flag/${place.flag}`,
              variations: flag.variations,
              flagKey: flag.key,
              archived: flag.archived,
            }}
            stored={stored}
            tag={flagTag(place.project, place.flag)}
            changeOf={(instructions, tag) => flagChange(place, instructions, tag)}
          />
        )
      }}
    </QueryView>
  )
}
