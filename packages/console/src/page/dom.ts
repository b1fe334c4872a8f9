/** Returns the element of the page with this id, which page.html contains. */
export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found as Element
}

/** Creates an element. Strings become text, never markup. */
export function made<Name extends keyof HTMLElementTagNameMap>(
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
export function fillSelect(id: string, options: readonly (readonly [value: string, text: string])[], chosen: string) {
  const select = byId<HTMLSelectElement>(id)
  const known = options.some(([value]) => value === chosen)
  if (!known) return fillSelect(id, [[chosen, 'choose …'], ...options], chosen)
  const same =
    select.options.length === options.length && options.every(([value], at) => select.options[at]?.value === value)
  // Options that are unchanged are not replaced, because that would close an open list.
  if (!same) select.replaceChildren(...options.map(([value, text]) => made('option', { value }, text)))
  select.value = chosen
}
