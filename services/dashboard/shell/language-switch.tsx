import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useState } from 'react';
import { type LanguageCode, languages } from '../texts/language-names.ts';
import { chooseLanguage } from '../texts/languages.ts';
import { language, text } from '../texts/texts.ts';

/** The language of the page, and the others. */
export function LanguageSwitch() {
  const [isOpen, setOpen] = useState(false);
  const codes = Object.keys(languages) as LanguageCode[];
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={(_event, code) => chooseLanguage(code as LanguageCode)}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plainText"
          isExpanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          aria-label={`${language().toUpperCase()}, ${text('shell.language')}: ${languages[language()]}`}
        >
          {language().toUpperCase()}
        </MenuToggle>
      )}
    >
      <DropdownList>
        {codes.map((code) => (
          <DropdownItem key={code} value={code} lang={code} isSelected={code === language()}>
            {languages[code]}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}
