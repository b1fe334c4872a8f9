import { describe, expect, it } from 'vitest'
import { colourPairs, contrastOf } from './contrast.ts'
import { open, openPageForEachTest, page } from './page-in-browser.ts'

openPageForEachTest()

describe('operating the console by keyboard', () => {
  it('reaches every control, with a visible focus, and can change each', async () => {
    await open('?project=shop&range=custom')
    const wanted = [
      'project',
      'environment',
      'range',
      'from',
      'to',
      'bucket',
      'group',
      'application',
      'measure',
      'forget',
    ]
    const seen = new Set<string>()
    const unmarked: string[] = []
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      const { id, name, outline } = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return { id: element.id, name: element.tagName, outline: outlineStyle !== 'none' && outlineWidth !== '0px' }
      })
      seen.add(id || name)
      if (name !== 'BODY' && !outline) unmarked.push(id || name)
    }
    expect([...seen]).toEqual(expect.arrayContaining([...wanted, 'SUMMARY', 'INPUT', 'A']))
    expect(unmarked).toEqual([])
    for (const id of ['range', 'bucket', 'group', 'application', 'measure', 'environment', 'project']) {
      await page.locator(`#${id}`).focus()
      const before = await page.locator(`#${id}`).inputValue()
      await page.keyboard.press(id === 'range' || id === 'project' ? 'ArrowUp' : 'ArrowDown')
      expect(await page.locator(`#${id}`).inputValue(), id).not.toBe(before)
      await page.locator('#content:not([aria-busy])').waitFor()
      if (id === 'environment') await page.keyboard.press('ArrowUp')
    }
  })

  it('skips the controls with the first link', async () => {
    await open('?project=shop')
    await page.locator('body').press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    expect(await page.locator('#insights').isVisible()).toBe(true)
  })

  it('hides and shows a line', async () => {
    await open('?project=shop')
    // Number of pixels in the color of the first line.
    const painted = () =>
      page.locator('#lead-time canvas').evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
        return new Uint32Array(data.buffer).filter((pixel) => pixel === 0xffa8620b).length
      })
    expect(await painted()).toBeGreaterThan(100)
    await page.locator('#lead-time .legend input').first().focus()
    await page.keyboard.press('Space')
    expect(await painted()).toBe(0)
    await page.keyboard.press('Space')
    expect(await painted()).toBeGreaterThan(100)
  })
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it.each([320, 1280])('the console fits a width of %i pixels, with readable contrast', async (width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 740 })
    for (const query of ['?project=shop&range=custom', '?project=bare', '?project=nowhere']) {
      await open(query)
      for (const summary of await page.locator('summary:visible').all()) await summary.click()
      const { wide, room } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        room: document.documentElement.clientWidth,
      }))
      expect(wide, query).toBeLessThanOrEqual(room)
      const pairs = await page.evaluate(colourPairs)
      expect(pairs.length).toBeGreaterThan(5)
      expect(pairs.filter(({ text, ground }) => contrastOf(text, ground) < 4.5)).toEqual([])
    }
  })

  it('every control of the console has a label', async () => {
    await page.emulateMedia({ colorScheme })
    await open('?project=shop&range=custom')
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('input, select')]
        .filter((control) => control.checkVisibility() && !control.labels?.[0]?.textContent?.trim())
        .map(({ id }) => id),
    )
    expect(nameless).toEqual([])
  })
})
