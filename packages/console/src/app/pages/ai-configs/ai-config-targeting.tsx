import { api, entityTagOf } from '../../api.ts'
import { QueryView } from '../../components/query-view.tsx'
import { type AIConfigPlace, aiConfigChange } from '../../review/reviewed-change.ts'
import { draftOf } from '../../targeting/draft.ts'
import { TargetingDraftPanel } from '../../targeting/targeting-draft-panel.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

const { aiConfigs } = texts

/**
 * The targeting of an AI config in an environment. Editor, review and merge are the same as for the targeting of flags.
 */
export function AIConfigTargeting({ place }: { place: AIConfigPlace }) {
  const keys = { projectKey: place.project, configKey: place.config }
  const query = useQuery(`targeting of AI config ${place.project} ${place.config}`, () =>
    api.getAIConfigTargeting(keys),
  )
  const [project, config] = [place.project, place.config].map(encodeURIComponent)
  return (
    <QueryView query={query}>
      {({ environments, variations }) => {
        const targeting = environments[place.environment]
        if (!targeting) return <p class="quiet">{aiConfigs.notHere}</p>
        const ids = variations.map(({ _id }) => _id)
        return (
          <TargetingDraftPanel
            key={place.environment}
            title={aiConfigs.targeting(targeting._environmentName)}
            place={place}
            subject={{
              resource: `proj/${place.project}:env/${place.environment}:aiconfig/${place.config}`,
              variations,
              action: 'updateAIConfigTargeting',
            }}
            stored={draftOf({ ...targeting, on: targeting.enabled }, ids)}
            tag={entityTagOf(`/api/v2/projects/${project}/ai-configs/${config}/targeting`)}
            changeOf={(instructions, tag) => aiConfigChange(place, instructions, tag)}
          />
        )
      }}
    </QueryView>
  )
}
