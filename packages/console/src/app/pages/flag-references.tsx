import { api } from '../api.ts'
import { QueryView } from '../components/query-view.tsx'
import type { FlagPlace } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'

/** Only these addresses become links: others could run scripts. */
const webAddress = /^https?:\/\//i

/** The links of a flag, and the repositories whose code refers to it. */
export function FlagReferences({ place }: { place: FlagPlace }) {
  const keys = { projectKey: place.project, flagKey: place.flag }
  const links = useQuery(`links ${place.project} ${place.flag}`, () => api.listFlagLinks(keys))
  const code = useQuery(`code ${place.project} ${place.flag}`, () =>
    api.getStatistics({ projectKey: place.project, flagKey: place.flag }),
  )
  return (
    <section class="panel">
      <QueryView query={links}>
        {({ items }) => (
          <ul class="plain-list">
            {items.map(({ _id, title, _deepLink: deepLink }) => (
              <li key={_id}>
                {webAddress.test(deepLink) ? (
                  <a href={deepLink} rel="noreferrer noopener" target="_blank">
                    {title ?? deepLink}
                  </a>
                ) : (
                  (title ?? deepLink)
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <QueryView query={code}>
        {({ flags }) => {
          const repositories = flags[place.flag] ?? []
          if (repositories.length === 0) return <p class="quiet">{texts.flag.noLinks}</p>
          return (
            <ul>
              {repositories.map((repository) => (
                <li key={repository.name}>{`${repository.name}: ${repository.hunkCount} · ${repository.fileCount}`}</li>
              ))}
            </ul>
          )
        }}
      </QueryView>
    </section>
  )
}
