// `template NAME CHART [--values FILE]...` as Helm renders a chart: Go's text/template with Sprig, and the functions
// that Helm adds. It knows no subcharts, no files of a chart, and no cluster.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 || args[0] != "template" {
		return errors.New("usage: template NAME CHART [--values FILE]...")
	}
	name, chart, rest := args[1], args[2], args[3:]
	about, err := readYaml(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return err
	}
	merged, err := readYaml(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return err
	}
	for ; len(rest) >= 2 && rest[0] == "--values"; rest = rest[2:] {
		given, err := readYaml(rest[1])
		if err != nil {
			return err
		}
		merge(merged, given)
	}
	if len(rest) > 0 {
		return fmt.Errorf("unknown argument %s", rest[0])
	}
	// Templates see the fields of Chart.yaml with capitals.
	title := values{}
	for key, value := range about {
		title[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return render(chart, values{
		"Values":  merged,
		"Chart":   title,
		"Release": values{
			"Name": name, "Namespace": "default", "Revision": 1,
			"IsInstall": true, "IsUpgrade": false, "Service": "Helm",
		},
	})
}

// Every template is executed, also NOTES.txt, and those that make objects are printed.
func render(chart string, data values) error {
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := root.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		text, err := execute(root, name, data)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(text) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, strings.TrimSpace(text))
		}
	}
	return nil
}

func functions(root *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) { return execute(root, name, data) }
	known["tpl"] = func(text string, data interface{}) (string, error) {
		own, err := root.Clone()
		if err == nil {
			_, err = own.New("tpl").Parse(text)
		}
		if err != nil {
			return "", err
		}
		return execute(own, "tpl", data)
	}
	known["required"] = func(warning string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(warning)
		}
		return value, nil
	}
	known["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	known["fromYaml"] = func(text string) (values, error) {
		parsed := values{}
		return parsed, yaml.Unmarshal([]byte(text), &parsed)
	}
	return known
}

func execute(root *template.Template, name string, data interface{}) (string, error) {
	var text strings.Builder
	err := root.ExecuteTemplate(&text, name, data)
	return strings.ReplaceAll(text.String(), "<no value>", ""), err
}

func readYaml(path string) (values, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parsed := values{}
	return parsed, yaml.Unmarshal(text, &parsed)
}

// Maps are merged, null removes a key, everything else replaces.
func merge(into, from values) {
	for key, value := range from {
		inner, isMap := value.(values)
		known, wasMap := into[key].(values)
		switch {
		case value == nil:
			delete(into, key)
		case isMap && wasMap:
			merge(known, inner)
		default:
			into[key] = value
		}
	}
}
