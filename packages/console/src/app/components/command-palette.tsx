import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { isAboutEnvironment, menu } from '../menu.ts'
import { hrefOf, navigate } from '../navigation.tsx'
import { currentEnvironment } from '../place.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'

interface Destination {
  readonly label: string
  readonly value: string
}

/** A search for a page or a flag, by keyboard: a combobox whose list is always open. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [input, setInput] = useState('')
  const [moved, setMoved] = useState<string | undefined>(undefined)
  const [entered, setEntered] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const { destinations, isComplete } = useDestinations(input)
  // Enter goes to the first destination unless the arrow keys have chosen another one. This remains so when flags are
  // found later.
  const activeIndex = destinations.findIndex(({ value }) => value === moved)
  const index = Math.max(0, activeIndex)
  const go = (destination: Destination | undefined) => {
    if (!destination) return
    onClose()
    navigate(destination.value)
  }
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => {
    // Enter was pressed before the server had responded.
    if (!entered || !isComplete) return
    setEntered(false)
    go(destinations[index])
  }, [entered, isComplete])
  useEffect(() => {
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }, [index])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setMoved(destinations.at((index + step) % destinations.length)?.value)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (destinations.length > 0) go(destinations[index])
      else setEntered(!isComplete)
    }
  }
  return (
    <Dialog title={texts.palette.title} onClose={onClose}>
      <div class="field">
        <label for={`${listId}-input`}>{texts.palette.input}</label>
        <input
          ref={field}
          id={`${listId}-input`}
          type="text"
          role="combobox"
          autocomplete="off"
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={destinations.length > 0 ? `${listId}-${index}` : undefined}
          value={input}
          onInput={(event) => {
            setInput(event.currentTarget.value)
            setMoved(undefined)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {destinations.length === 0 && isComplete && <p class="quiet">{texts.palette.empty}</p>}
      <div id={listId} role="listbox" aria-label={texts.palette.input} class="options">
        {destinations.map((item, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: the input names the option by `aria-activedescendant`
          <div
            key={item.value}
            id={`${listId}-${position}`}
            role="option"
            aria-selected={position === index}
            onClick={() => go(item)}
          >
            {item.label}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

/** Returns the pages and flags that a text matches. Flags are searched by the server. */
function useDestinations(input: string) {
  const place = currentEnvironment.value
  const [found, setFound] = useState<{ readonly text: string | undefined; readonly flags: readonly Destination[] }>({
    text: undefined,
    flags: [],
  })
  const text = input.trim()
  useEffect(() => {
    if (!place) return undefined
    let current = true
    const timer = setTimeout(() => {
      const filter = text === '' ? {} : { filter: `query:${text.replace(/[,:]/g, ' ')}` }
      api
        .listFlags({ projectKey: place.project, limit: 10, ...filter })
        .then(({ items }) => {
          const flags = items.map(({ key, name }) => ({
            label: `${name} (${key})`,
            value: hrefOf('flag', { ...place, flag: key }),
          }))
          if (current) setFound({ text, flags })
        })
        .catch(() => {
          if (current) setFound({ text, flags: [] })
        })
    }, 120)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text, place?.project, place?.environment])
  const destinations = useMemo(() => {
    const isMatch = ({ label }: Destination) => label.toLowerCase().includes(text.toLowerCase())
    const pages = Object.values(menu)
      .flat()
      .filter((name) => place !== undefined || !isAboutEnvironment(name))
      .map((name) => ({ label: texts.navigation[name], value: hrefOf(name, place) }))
      .filter(isMatch)
    // Flags of the previous search text are shown only if they match the new text, because Enter leads to the first
    // destination.
    return [...pages, ...(found.text === text ? found.flags : found.flags.filter(isMatch))]
  }, [text, found, place?.project, place?.environment])
  return { destinations, isComplete: !place || found.text === text }
}
