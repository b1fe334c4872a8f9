import { describe, expect, it } from 'vitest'
import { longTests } from '../../../test/setup/long-tests.ts'
import { colorPairs, contrastOf } from './contrast.ts'
import { openConsole, openPageForEachTest, page } from './page-in-browser.ts'

openPageForEachTest()

describe('operating the console by keyboard', () => {
  it('reaches every control, with a visible focus, and can operate each', async () => {
    await openConsole('?project=shop&range=custom')
    const expected = [
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
    const focused = new Set<string>()
    const withoutOutline: string[] = []
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      const { id, name, outline } = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return { id: element.id, name: element.tagName, outline: outlineStyle !== 'none' && outlineWidth !== '0px' }
      })
      focused.add(id || name)
      if (name !== 'BODY' && !outline) withoutOutline.push(id || name)
    }
    expect([...focused]).toEqual(expect.arrayContaining([...expected, 'SUMMARY', 'INPUT', 'A']))
    expect(withoutOutline).toEqual([])
    for (const id of ['range', 'bucket', 'group', 'application', 'measure', 'environment', 'project']) {
      await page.locator(`#${id}`).focus()
      const before = await page.locator(`#${id}`).inputValue()
      await page.keyboard.press(id === 'range' || id === 'project' ? 'ArrowUp' : 'ArrowDown')
      expect(await page.locator(`#${id}`).inputValue(), id).not.toBe(before)
      await page.locator('#content:not([aria-busy])').waitFor()
      if (id === 'environment') await page.keyboard.press('ArrowUp')
    }
  })

  it('skips the controls by the first link', async () => {
    await openConsole('?project=shop')
    await page.locator('body').press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    expect(await page.locator('#insights').isVisible()).toBe(true)
  })

  it('hides and shows a line of the chart', async () => {
    await openConsole('?project=shop')
    // Number of pixels in the color of the first line.
    const countPixels = () =>
      page.locator('#lead-time canvas').evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
        return new Uint32Array(data.buffer).filter((pixel) => pixel === 0xffa8620b).length
      })
    expect(await countPixels()).toBeGreaterThan(100)
    await page.locator('#lead-time .legend input').first().focus()
    await page.keyboard.press('Space')
    expect(await countPixels()).toBe(0)
    await page.keyboard.press('Space')
    expect(await countPixels()).toBeGreaterThan(100)
  })
})

describe.each(['light', 'dark'] as const)('in %s mode', (colorScheme) => {
  // Widths and colors do not depend on each other.
  const widths = longTests ? [320, 1280] : [colorScheme === 'light' ? 320 : 1280]
  it.each(widths)('the console fits a width of %i pixels, with readable contrast', async (width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 740 })
    for (const query of ['?project=shop&range=custom', '?project=bare', '?project=nowhere']) {
      await openConsole(query)
      for (const summary of await page.locator('summary:visible').all()) await summary.click()
      const { contentWidth, viewportWidth } = await page.evaluate(() => ({
        contentWidth: document.documentElement.scrollWidth,
        viewportWidth: document.documentElement.clientWidth,
      }))
      expect(contentWidth, query).toBeLessThanOrEqual(viewportWidth)
      const pairs = await page.evaluate(colorPairs)
      expect(pairs.length).toBeGreaterThan(5)
      expect(pairs.filter(({ text, background }) => contrastOf(text, background) < 4.5)).toEqual([])
    }
  })

  it('every control of the console has a label', async () => {
    await page.emulateMedia({ colorScheme })
    await openConsole('?project=shop&range=custom')
    const unlabeled = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('input, select')]
        .filter((control) => control.checkVisibility() && !control.labels?.[0]?.textContent?.trim())
        .map(({ id }) => id),
    )
    expect(unlabeled).toEqual([])
  })
})
