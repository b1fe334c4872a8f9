import type { Locator, Page } from 'playwright-core'

/** The actions of a locator that {@link operateByKeyboard} replaces. */
const replaced = ['click', 'check', 'fill', 'clear', 'press', 'selectOption', 'setInputFiles', 'focus'] as const

/**
 * Maximum number of presses of the Tab key. It is greater than the number of controls of the longest page of the tests.
 */
const maxTabs = 600

/**
 * Makes the locators of a page act by keyboard alone, like a person without a mouse. An action goes to its control by
 * the Tab key, and within a group of tabs or radio buttons by arrow keys. The action fails when no key reaches the
 * control.
 *
 * @returns a function that restores the actions.
 */
export function operateByKeyboard(page: Page): () => void {
  const locators: Pick<Locator, (typeof replaced)[number]> = Object.getPrototypeOf(page.locator('html'))
  const original = Object.fromEntries(replaced.map((name) => [name, locators[name]]))
  const { keyboard } = page
  Object.assign(locators, {
    focus(this: Locator) {
      return goTo(this)
    },
    async click(this: Locator) {
      const key = await goTo(this)
      if (key) await keyboard.press(key)
    },
    async check(this: Locator) {
      await goTo(this)
      if (!(await this.isChecked())) await keyboard.press('Space')
    },
    async fill(this: Locator, value: string) {
      await goTo(this)
      if ((await this.getAttribute('type')) === 'datetime-local') await typeTime(page, value)
      else {
        await keyboard.press('Control+a')
        if (value) await keyboard.insertText(value)
        else await keyboard.press('Delete')
      }
    },
    async clear(this: Locator) {
      await this.fill('')
    },
    async press(this: Locator, key: string) {
      await goTo(this)
      await keyboard.press(key)
    },
    async selectOption(this: Locator, option: string | { readonly label: string }) {
      await goTo(this)
      await choose(this, option)
    },
    async setInputFiles(this: Locator, file: Parameters<Locator['setInputFiles']>[0]) {
      await goTo(this)
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
      await chooser.setFiles(file)
    },
  })
  return () => {
    Object.assign(locators, original)
  }
}

/**
 * Presses keys until the control of a locator has the focus.
 *
 * @returns the key by which a click on the control is replaced; undefined where the focus has already chosen it.
 * @throws Error where no key reaches the control.
 */
async function goTo(locator: Locator): Promise<string | undefined> {
  await locator.waitFor()
  const { keyboard } = locator.page()
  for (let presses = 0; presses < maxTabs; presses++) {
    const state = await locator.evaluate(focusOf)
    if (state.hasFocus) return state.key
    await keyboard.press(state.next)
  }
  throw new Error(`${maxTabs} presses of Tab do not reach ${locator}`)
}

/**
 * Runs in the page. Returns whether the control of an element has the focus, and the key that moves the focus nearer to
 * the control.
 */
function focusOf(element: Element): { hasFocus: boolean; key?: string; next: string } {
  const interactive = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]'
  const labelled = element.closest('label')?.control
  const control = labelled ?? element.closest(interactive) ?? element
  const active = document.activeElement
  if (active === control) {
    const usesSpace = control.matches('input[type=checkbox], input[type=radio], [role=switch], [role=checkbox]')
    const isText = control.matches(
      'textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])',
    )
    const isChosen = control.matches('input[type=radio]:checked') || isText
    return { hasFocus: true, next: 'Tab', ...(isChosen ? {} : { key: usesSpace ? 'Space' : 'Enter' }) }
  }
  const group = control.closest(
    '[role=tablist], [role=radiogroup], [role=listbox], [role=menu], [role=toolbar], fieldset',
  )
  const isInGroup = control.matches('[role=tab], [role=option], [role=menuitem], [tabindex="-1"], input[type=radio]')
  const isNear = isInGroup && active?.matches('[role], input[type=radio]') === true && group?.contains(active) === true
  return { hasFocus: false, next: isNear ? 'ArrowRight' : 'Tab' }
}

/** Chooses an option of the select that has the focus by arrow keys. */
async function choose(locator: Locator, option: string | { readonly label: string }): Promise<void> {
  const { keyboard } = locator.page()
  const steps = await locator.evaluate((element, wanted) => {
    const select = element as HTMLSelectElement
    const enabled = [...select.options].filter(({ disabled }) => !disabled)
    const index = enabled.findIndex(({ label, value }) =>
      typeof wanted === 'string' ? value === wanted || label === wanted : label === wanted.label,
    )
    return index < 0 ? undefined : index - enabled.findIndex(({ selected }) => selected)
  }, option)
  if (steps === undefined) throw new Error(`${locator} has no option ${JSON.stringify(option)}`)
  for (let step = 0; step < Math.abs(steps); step++) await keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp')
}

/** Number of the parts of a field of a date and a time in American English, which has AM and PM. */
const timeParts = 6

/**
 * Types a time into the parts of a field of a date and a time, in the order of American English. Without a time, the
 * parts are emptied.
 */
async function typeTime({ keyboard }: Page, value: string): Promise<void> {
  if (value === '') {
    for (let part = 0; part < timeParts; part++) {
      await keyboard.press('Delete')
      await keyboard.press('ArrowRight')
    }
    return
  }
  const [year = '', month = '', day = '', hour = '', minute = ''] = value.split(/[-T:]/)
  const hours = Number(hour)
  await keyboard.type(month + day + year)
  // A year may have six digits, so the focus stays on the year after four digits. An arrow key moves it to the hour.
  await keyboard.press('ArrowRight')
  await keyboard.type(String(hours % 12 || 12).padStart(2, '0') + minute + (hours < 12 ? 'AM' : 'PM'))
}
