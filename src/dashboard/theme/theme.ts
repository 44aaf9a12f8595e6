import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const plain = (value: string): MantineColorsTuple => [
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
];

/** Mantine, dressed in our tokens: what a component looks like is decided in tokens.css. */
export const theme = createTheme({
  primaryColor: 'ink',
  colors: { ink: plain('var(--ink)'), danger: plain('var(--red)') },
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '22px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const isDanger = input.color === 'danger';
    if (input.variant === 'filled') {
      return {
        background: isDanger ? 'var(--red)' : 'var(--ink)',
        hover: isDanger ? 'var(--red)' : 'var(--ink-hover)',
        color: isDanger ? 'var(--surface)' : 'var(--on-ink)',
        border: '1px solid transparent',
      };
    }
    if (input.variant === 'default') {
      return {
        background: 'var(--surface)',
        hover: 'var(--sunken)',
        color: isDanger ? 'var(--red)' : 'var(--ink)',
        border: '1px solid var(--line)',
      };
    }
    if (input.variant === 'subtle') {
      return {
        background: 'transparent',
        hover: 'var(--sunken)',
        color: isDanger ? 'var(--red)' : 'var(--ink-soft)',
        border: '1px solid transparent',
      };
    }
    return defaultVariantColorsResolver(input);
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // What has to be filled in says so once something is missing. A hint stands below its field.
    InputWrapper: {
      defaultProps: { withAsterisk: false, inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    NumberInput: { defaultProps: { allowDecimal: false } },
    Textarea: { defaultProps: { autosize: true } },
    Checkbox: { defaultProps: { iconColor: 'var(--on-ink)' } },
    Radio: { defaultProps: { iconColor: 'var(--on-ink)' } },
    // In the dark they would be as dark as the field that they stand in.
    Pill: { styles: { root: { backgroundColor: 'var(--sunken)' } } },
    // Else the place for the next one takes a line of its own.
    TagsInput: { styles: { inputField: { minWidth: '3rem' } } },
    Menu: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
    Select: {
      defaultProps: {
        allowDeselect: false,
        checkIconPosition: 'right',
        comboboxProps: { transitionProps: { duration: 80 } },
      },
    },
    // A text is as large as what it stands in, unless it says otherwise.
    Text: { defaultProps: { inherit: true } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 80 } } },
  },
});

const both = {
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-placeholder': 'var(--ink-faint)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-faint)',
  '--mantine-color-anchor': 'var(--ink)',
  '--mantine-primary-color-filled': 'var(--ink)',
  '--mantine-primary-color-contrast': 'var(--on-ink)',
  '--mantine-shadow-md': 'var(--shadow)',
  // Fields and menus.
  '--mantine-color-gray-4': 'var(--field-line)',
  '--mantine-color-dark-4': 'var(--field-line)',
  '--mantine-color-dark-5': 'var(--sunken)',
  '--mantine-color-dark-6': 'var(--surface)',
  '--mantine-color-dark-7': 'var(--surface)',
  '--mantine-color-dark-8': 'var(--ground)',
  '--mantine-color-gray-0': 'var(--sunken)',
  '--mantine-color-gray-1': 'var(--sunken)',
  '--mantine-color-gray-2': 'var(--line)',
  '--mantine-color-gray-3': 'var(--line)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: both, dark: both });
