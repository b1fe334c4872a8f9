/** Returns the element of the page with this id, which page.html contains. */
export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no #${id}`)
  return element as Element
}

/** Creates an element. Strings become text, never markup. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** Fills a select element with options, and selects one. */
export function fillSelect(id: string, options: readonly (readonly [value: string, text: string])[], selected: string) {
  const select = byId<HTMLSelectElement>(id)
  const isListed = options.some(([value]) => value === selected)
  if (!isListed) return fillSelect(id, [[selected, 'choose …'], ...options], selected)
  const isUnchanged =
    select.options.length === options.length &&
    options.every(([value], index) => select.options[index]?.value === value)
  // Options that are unchanged are not replaced, because that would close an open list.
  if (!isUnchanged) select.replaceChildren(...options.map(([value, text]) => createElement('option', { value }, text)))
  select.value = selected
}
