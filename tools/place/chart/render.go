// Renders a chart with the libraries that Helm's own engine is made of: Go's text/template, Sprig and sigs.k8s.io/yaml, in
// Debian's versions. Reads {"templates": {NAME: TEXT}, "values": {…}, "release": {…}, "chart": {…}} and writes
// {NAME: TEXT}.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type input struct {
	Templates map[string]string
	Values    map[string]interface{}
	Release   map[string]interface{}
	Chart     map[string]interface{}
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	set := template.New("chart").Option("missingkey=zero")
	set.Funcs(sprig.TxtFuncMap()).Funcs(functions(set))
	for name, text := range in.Templates {
		template.Must(set.New(name).Parse(text))
	}
	data := map[string]interface{}{"Values": in.Values, "Release": in.Release, "Chart": in.Chart}
	rendered := map[string]string{}
	for name := range in.Templates {
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out strings.Builder
		check(set.ExecuteTemplate(&out, name, data))
		// As Helm does.
		rendered[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

// The functions that Helm adds to Sprig's.
func functions(set *template.Template) template.FuncMap {
	return template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var out strings.Builder
			err := set.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml": func(value interface{}) string {
			text, err := yaml.Marshal(value)
			check(err)
			return strings.TrimSuffix(string(text), "\n")
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return value, errors.New(message)
			}
			return value, nil
		},
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
