import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useId, useSyncExternalStore } from 'react'
import { chooseTheme, chosenTheme, onThemeChange } from '../theme'

const THEMES = [
  { theme: 'system', label: 'System', Icon: Monitor },
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
] as const

/** Native radio buttons, because public pages use them without React. */
export function ThemeSwitch() {
  const theme = useSyncExternalStore(onThemeChange, chosenTheme, () => 'system')
  const group = useId()
  return (
    <fieldset aria-label="Theme" data-theme-switch className="flex w-fit gap-0.5 rounded-card bg-column p-0.5 noscript:hidden">
      {THEMES.map(({ theme: each, label, Icon }) => (
        <label
          key={each}
          title={label}
          className="relative grid size-7 place-items-center rounded-card text-quiet hover:text-text has-checked:bg-chosen has-checked:text-text has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-text has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={group}
            value={each}
            checked={theme === each}
            onChange={() => chooseTheme(each)}
            aria-label={label}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <Icon className="size-3.5" aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
