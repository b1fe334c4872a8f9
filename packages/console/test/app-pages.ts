import { type PageName, pagePaths, pathOfPage } from '../src/console-paths.ts'
import { page, served } from './app-in-browser.ts'

/**
 * Returns every page of the console with an example path, whose parameters are keys of the filled account. The page of
 * a segment is listed twice, because it has another form for a long list of keys.
 */
export function examplePaths(): readonly (readonly [PageName, string])[] {
  const bigSegment = { ...served.keys, segment: 'readers' }
  return [...pagesWithKeys(), ['segment', pathOfPage('segment', bigSegment)]]
}

function pagesWithKeys(): readonly (readonly [PageName, string])[] {
  return (Object.keys(pagePaths) as PageName[]).map((name) => {
    const missing = [...pagePaths[name].matchAll(/:(\w+)/g)].find(
      ([, param]) => !Object.hasOwn(served.keys, param ?? ''),
    )
    if (missing) throw new Error(`The filled account has no ${missing[1]} for the page ${name}`)
    return [name, pathOfPage(name, served.keys)]
  })
}

/** Goes to a path in the console, which is open, and waits until everything on the page is loaded. */
export async function openLoaded(path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return main?.ariaBusy === 'false' && !main.textContent?.includes('Loading…')
  })
}

/** Returns the addresses of the tabs of the page. */
export function tabsOfPage(): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('.tabs a')].map(({ pathname, search }) => pathname + search),
  )
}
