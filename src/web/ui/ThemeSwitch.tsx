import { Monitor, Moon, Sun } from 'lucide-react'
import { ToggleGroup } from 'radix-ui'
import { chooseTheme, type Theme, useTheme } from '../theme'

const THEMES = [
  { theme: 'system', label: 'As the system', Icon: Monitor },
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
] as const

export function ThemeSwitch() {
  const theme = useTheme()
  return (
    <ToggleGroup.Root
      type="single"
      value={theme}
      onValueChange={(value) => value && chooseTheme(value as Theme)}
      aria-label="Theme"
      className="flex gap-0.5 rounded-card bg-column p-0.5"
    >
      {THEMES.map(({ theme, label, Icon }) => (
        <ToggleGroup.Item
          key={theme}
          value={theme}
          aria-label={label}
          title={label}
          className="grid size-7 place-items-center rounded-card text-quiet hover:text-text data-[state=on]:bg-surface data-[state=on]:text-text data-[state=on]:shadow-card"
        >
          <Icon className="size-3.5" aria-hidden />
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
